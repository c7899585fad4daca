import DefaultTheme from 'vitepress/theme-without-fonts'
import type { Theme } from 'vitepress'
import StackHop from './StackHop.vue'
import Collection from './Collection.vue'
import PoolTurn from './PoolTurn.vue'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('StackHop', StackHop)
    app.component('Collection', Collection)
    app.component('PoolTurn', PoolTurn)
  },
} satisfies Theme
