/** The colours, light and dark; each text has a contrast of at least 4.5 to 1 on each ground it stands on. */
export const COLOURS: string = `
:root {
  --ground: #f7f7f5; --panel: #ffffff; --sunken: #f1f2f0; --line: #d8dcd9; --text: #1f2427; --muted: #565f66;
  --accent: #0a57b8; --accent-ground: #e4eefb; --upstream: #8a4f00; --upstream-ground: #fbf1e3;
  --client: #04615f; --client-ground: #e3f3f1; --good: #1b6e33; --bad: #a8221a; --bad-ground: #fcebe9;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a; --panel: #1c2024; --sunken: #15191c; --line: #363d43; --text: #e5e8ea; --muted: #a4adb5;
    --accent: #8ebcff; --accent-ground: #1f2f45; --upstream: #e5ac62; --upstream-ground: #2b2419;
    --client: #66cbc4; --client-ground: #16292a; --good: #78d293; --bad: #ff958c; --bad-ground: #3a2020;
  }
}
`
