import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'

/** So near to the end is at the end, in pixels. */
const NEAR = 40

/** Who has scrolled to the end of what is still growing stays there. */
export function useStayAtEnd(isGrowing: boolean): void {
  const isAtEnd = useRef(false)
  useEffect(() => {
    const onScroll = (): void => {
      const { scrollHeight } = document.documentElement
      isAtEnd.current = scrollY > 0 && scrollY + innerHeight > scrollHeight - NEAR
    }
    addEventListener('scroll', onScroll, { passive: true })
    return () => removeEventListener('scroll', onScroll)
  }, [])
  useLayoutEffect(() => {
    if (isGrowing && isAtEnd.current) scrollTo(0, document.documentElement.scrollHeight)
  })
}
