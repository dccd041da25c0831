import type { ComponentChildren, JSX } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** A table that can be scrolled sideways, also with keys, where there is no room for all of it. */
export function TableBox({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const box = useRef<HTMLDivElement>(null)
  const [isScrolling, setScrolling] = useState(false)
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const measure = (): void => setScrolling(element.scrollWidth > element.clientWidth)
    const observer = new ResizeObserver(measure)
    // The table grows with what is in it, the box with the page.
    for (const observed of [element, ...element.children]) observer.observe(observed)
    return () => observer.disconnect()
  }, [])
  return (
    <div class="table-box" ref={box} tabIndex={isScrolling ? 0 : undefined}>
      {children}
    </div>
  )
}
