// Copies the repository's documents to where the generator looks for them: README.md is the first
// page. What a document says of the site itself is left out.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const site = dirname(fileURLToPath(import.meta.url))
const root = dirname(site)
const stage = join(site, 'stage')

rmSync(stage, { recursive: true, force: true })
mkdirSync(join(stage, 'public'), { recursive: true })
for (const name of readdirSync(root)) {
  if (name.endsWith('.md')) cpSync(join(root, name), join(stage, name === 'README.md' ? 'index.md' : name))
}
cpSync(join(root, 'docs'), join(stage, 'docs'), { recursive: true })
for (const name of ['LICENSE', 'NOTICE']) cpSync(join(root, name), join(stage, 'public', name + '.txt'))
for (const name of readdirSync(join(stage, 'docs/pictures'))) {
  const file = join(stage, 'docs/pictures', name)
  writeFileSync(file, readFileSync(file, 'utf8').replace('(The picture is a part of the site: `make site`.)\n', ''))
}
// The reader may choose light or dark against what the system says, which a picture's sources do not
// know: both images are there, and the style shows one.
const picture = /<picture>\s*<source [^>]*srcset="([^"]*)">\s*<img\s+([^>]*?)\s*src="([^"]*)">\s*<\/picture>/g
for (const name of readdirSync(stage, { recursive: true })) {
  if (!name.endsWith('.md')) continue
  const file = join(stage, name)
  const text = readFileSync(file, 'utf8')
  const changed = text.replace(picture, '<img class="in-light" $2 src="$3"><img class="in-dark" $2 src="$1">')
  if (changed.includes('<picture>')) throw new Error(name + ' has a picture of another form')
  writeFileSync(file, changed)
}
if (readdirSync(join(stage, 'docs')).length < 10) throw new Error('there are too few documents')
