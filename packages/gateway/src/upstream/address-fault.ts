/** What is wrong with the address of an upstream, if anything is. The address is not quoted: it may hold a key. */
export function faultOfAddress(address: string): string | undefined {
  const url = URL.parse(address)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return 'expected an http or https address such as http://127.0.0.1:11434/v1'
  }
  if (url.username !== '' || url.password !== '') {
    return 'an address with a user or a password in it; put the key into an environment variable'
  }
  return undefined
}
