import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

// The pages that benchmarks make, by their headings.
const benches = fileURLToPath(new URL('../stage/docs/bench/', import.meta.url))
const measured = readdirSync(benches).filter((name) => name.endsWith('.md')).map((name) => ({
  text: readFileSync(benches + name, 'utf8').split('\n', 1)[0].replace('# Benchmark: ', ''),
  link: '/docs/bench/' + name.replace('.md', ''),
}))

// The documents by what their readers want; each is in one place.
const sidebar = [
  { text: 'Loam', items: [
    { text: 'What it is', link: '/' },
    { text: 'Guide', link: '/docs/guide' },
    { text: 'Limits', link: '/docs/limits' },
  ] },
  { text: 'Pictures', items: [
    { text: 'How a stack hops', link: '/docs/pictures/stack' },
    { text: 'How a collection runs', link: '/docs/pictures/collection' },
    { text: 'How a collection is paced', link: '/docs/pictures/pacing' },
    { text: 'How a pool turns', link: '/docs/pictures/pool' },
    { text: 'How goroutines switch', link: '/docs/pictures/switching' },
  ] },
  { text: 'Use', items: [
    { text: 'Builds', link: '/docs/builds' },
    { text: 'Watching programs', link: '/docs/watching' },
    { text: 'Profiles and metrics', link: '/docs/metrics' },
    { text: 'Simulation', link: '/docs/simulation' },
    { text: 'Memory', link: '/docs/memory' },
  ] },
  { text: 'Measured', items: [
    { text: 'Benchmarks', link: '/docs/benchmarks' },
    ...measured,
    { text: 'Feeds', link: '/docs/feeds' },
  ] },
  { text: 'How it works', items: [
    { text: 'Architecture', link: '/docs/architecture' },
    { text: 'Concepts', link: '/docs/concepts' },
    { text: 'Walks', link: '/docs/walks' },
    { text: 'ABI', link: '/docs/abi' },
    { text: 'The collector’s invariants', link: '/docs/gc-invariants' },
    { text: 'Rationale', link: '/docs/rationale' },
    { text: 'Glossary', link: '/docs/glossary' },
    { text: 'Contributing', link: '/CONTRIBUTING' },
    { text: 'Changes', link: '/CHANGELOG' },
  ] },
]

// A file that the stage has under another name, or that is none of the site's.
function moved(href: string): string {
  return href.replace(/(^|\/)README\.md/, '$1index.md').replace(/^(LICENSE|NOTICE)$/, '/$1.txt')
}

export default defineConfig({
  title: 'Loam',
  description: 'Go programs on a run-time system of their own',
  srcDir: 'stage',
  outDir: '../out/site',
  cacheDir: '../out/site-cache',
  cleanUrls: false,
  base: process.env.LOAM_SITE_BASE ?? '/',
  markdown: {
    languageAlias: { '': 'txt' },
    config(md) {
      md.core.ruler.push('moved-links', (state) => {
        for (const block of state.tokens) {
          for (const token of block.children ?? []) {
            const href = token.type === 'link_open' ? token.attrGet('href') : null
            if (href) token.attrSet('href', moved(href))
          }
        }
      })
    },
  },
  ignoreDeadLinks: [/^\/(LICENSE|NOTICE)/],
  themeConfig: {
    sidebar,
    nav: [
      { text: 'Guide', link: '/docs/guide' },
      { text: 'Simulation', link: '/docs/simulation' },
      { text: 'Benchmarks', link: '/docs/benchmarks' },
    ],
    search: { provider: 'local' },
    outline: [2, 3],
    docFooter: { prev: false, next: false },
  },
})
