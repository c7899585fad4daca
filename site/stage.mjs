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
if (readdirSync(join(stage, 'docs')).length < 10) throw new Error('there are too few documents')
