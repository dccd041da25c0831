import DefaultTheme from 'vitepress/theme'
// oxlint-disable-next-line import/no-unassigned-import -- styles have no name
import './style.css'

export default DefaultTheme
