import DefaultTheme from 'vitepress/theme-without-fonts'
import type { Theme } from 'vitepress'
import StackHop from './StackHop.vue'
import Collection from './Collection.vue'
import PoolTurn from './PoolTurn.vue'
import Switching from './Switching.vue'
import Pacing from './Pacing.vue'
import './style.css'

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component('StackHop', StackHop)
    app.component('Collection', Collection)
    app.component('PoolTurn', PoolTurn)
    app.component('Switching', Switching)
    app.component('Pacing', Pacing)
  },
} satisfies Theme
