import { svelte } from '@sveltejs/vite-plugin-svelte'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { defineConfig } from 'vite'

const house = resolve(import.meta.dirname, '..')
const locales = join(house, 'src/drunemeton/locales')
const out = process.env.DRUNEMETON_ASSETS ?? join(house, 'src/drunemeton/server/assets')

const languages = ['en', 'de', 'nl', 'fr'].filter((name) => existsSync(join(locales, name, 'web.json')))

/** Words that are fetched when they are wanted: how `virtual:words` calls them, and how the names of their catalogues begin. */
const LATER = { lessons: 'lessons', teaching: 'teaching', lab: 'lab', reviews: 'review', puzzles: 'puzzles' }
const rooms = Object.values(LATER).join('|')

/** The catalogues of the house, one chunk per language: `virtual:words` offers them, `virtual:words/de` is one. */
function words() {
  return {
    name: 'words',
    resolveId: (id) => (id.startsWith('virtual:words') || id === 'virtual:offline-words' ? '\0' + id : null),
    load(id) {
      if (id === '\0virtual:words') {
        const map = (kind) => `{${languages.map((name) => `${name}: () => import('virtual:${kind}/${name}')`).join(', ')}}`
        const later = Object.entries(LATER).map(([name, room]) => `export const ${name} = ${map(`words-${room}`)}`)
        return [`export default ${map('words')}`, ...later].join('\n')
      }
      if (id === '\0virtual:offline-words') {
        const said = languages.map((name) => {
          const entries = Object.entries(entriesOf(name, this)).filter(([key]) => key.startsWith('web.offline') || key === 'web.again')
          return [name, Object.fromEntries(entries)]
        })
        return `export default ${JSON.stringify(Object.fromEntries(said))}`
      }
      const later = new RegExp(`^virtual:words-(${rooms})/(\\w+)$`).exec(id.slice(1))
      if (later) {
        const kinds = later[1] === 'lessons' ? ['lessons_', 'glossary_'] : [`${later[1]}_`]
        const entries = entriesOf(later[2], this, (name) => kinds.some((kind) => name.startsWith(kind)))
        return `export default JSON.parse(${JSON.stringify(JSON.stringify(entries))})`
      }
      if (!id.startsWith('\0virtual:words/')) return null
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(entriesOf(id.slice('\0virtual:words/'.length), this)))})`
    },
  }
}

/** All entries of a language but the terminal's and those that are fetched later; whoever builds on them is built anew when they change. */
const isForAll = (name) => name !== 'terminal.json' && !new RegExp(`^(glossary|${rooms})_`).test(name)

function entriesOf(language, build, wanted = isForAll) {
  const folder = join(locales, language)
  const entries = {}
  for (const file of readdirSync(folder)
    .filter((name) => name.endsWith('.json') && wanted(name))
    .sort()) {
    build.addWatchFile(join(folder, file))
    Object.assign(entries, JSON.parse(readFileSync(join(folder, file), 'utf8')))
  }
  return entries
}

/** What makes the page an app: a worker with a page for the time without a connection. */
function app() {
  const here = import.meta.dirname
  const text = (name) => readFileSync(join(here, 'offline', name), 'utf8')
  return {
    name: 'app',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: join(here, 'src/offline.ts'), fileName: 'offline.js' })
    },
    generateBundle(_, bundle) {
      const emit = (fileName, source) => this.emitFile({ type: 'asset', fileName, source })
      for (const name of ['offline.html', 'offline.css']) emit(name, text(name))
      const build = createHash('sha256')
        .update(Object.keys(bundle).sort().join() + bundle['offline.js'].code + text('offline.html') + text('offline.css'))
        .digest('hex')
        .slice(0, 12)
      emit('sw.js', text('sw.js').replace('BUILD', build))
    },
  }
}

/** What a page will need, known before any of its scripts is there: see early.js. */
function early() {
  const here = import.meta.dirname
  const pages = { '': 'Lobby', new: 'Setup', t: 'Table', rules: 'Rules', replay: 'Replay' }
  return {
    name: 'early',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const chunks = Object.values(bundle)
        /** A chunk's file, its styles, and those of all that it imports; what the page itself names is on its way already. */
        const filesOf = (end) => {
          const found = new Set()
          const visit = (chunk) => {
            if (!chunk || found.has('/' + chunk.fileName)) return
            found.add('/' + chunk.fileName)
            for (const style of chunk.viteMetadata?.importedCss ?? []) found.add('/' + style)
            for (const name of chunk.imports) visit(bundle[name])
          }
          visit(chunks.find((chunk) => chunk.facadeModuleId?.endsWith(end)))
          if (found.size === 0) throw new Error(`no chunk for ${end}`)
          return [...found].filter((file) => !html.includes(file))
        }
        const map = (entries) => Object.fromEntries(entries)
        const games = readdirSync(join(here, 'src/games')).filter((game) => existsSync(join(here, 'src/games', game, 'index.ts')))
        const ahead = {
          pages: map(Object.entries(pages).map(([room, page]) => [room, filesOf(`/pages/${page}.svelte`)])),
          games: map(games.map((game) => [game, filesOf(`/games/${game}/table.ts`)])),
          words: map(languages.map((name) => [name, filesOf(`virtual:words/${name}`)])),
        }
        const script = readFileSync(join(here, 'early.js'), 'utf8')
          .replace(/^\/\/.*\n/gm, '')
          .replace('AHEAD', JSON.stringify(ahead))
        // Behind the encoding, which must be named at the very beginning, and before the styles, for which a script would wait.
        return html.replace('<meta charset="utf-8" />', (first) => `${first}\n    <script>${script}</script>`)
      },
    },
  }
}

/** The games that there are, by their rules: in the page's description, and in every language for whoever has no JavaScript. */
function named() {
  const titleOf = (path) => readFileSync(path, 'utf8').match(/^# (.*)$/m)[1]
  const gamesIn = (language) => {
    const folder = join(house, 'docs/rules', language)
    const files = readdirSync(folder).filter((name) => name.endsWith('.md'))
    return files.map((file) => ({ name: file.slice(0, -3), title: titleOf(join(folder, file)) }))
  }
  const links = (language) => gamesIn(language).map(({ name, title }) => `<a href="/api/rules/${language}/${name}">${title}</a>`)
  return {
    name: 'named',
    transformIndexHtml: (html) =>
      html
        .replace('%TITLES%', () =>
          gamesIn('en')
            .map(({ title }) => title)
            .join(', '),
        )
        .replace(/<span data-rules="(\w+)"><\/span>/g, (_, language) => links(language).join(', ')),
  }
}

/** Beside each text file its gzip and brotli twin, so that the server only has to pick. */
function compress() {
  return {
    name: 'compress',
    apply: 'build',
    closeBundle(problem) {
      if (problem) return
      for (const name of readdirSync(out, { recursive: true })) {
        const path = join(out, name)
        if (!statSync(path).isFile() || !/\.(js|css|html|svg|json|webmanifest)$/.test(name)) continue
        const text = readFileSync(path)
        if (text.length < 256) continue
        writeFileSync(path + '.gz', gzipSync(text, { level: 9 }))
        writeFileSync(path + '.br', brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }))
      }
    },
  }
}

// What every page needs comes in one piece, what every table needs in another; pages, games and languages are fetched when they are wanted.
const FIRST = new RegExp(
  [
    '/node_modules/(svelte|esm-env|clsx)/',
    '/frontend/src/(App|app\\.css|games/\\w+/index)',
    '/frontend/src/lib/(api|game|pages|router|settings|slices|turn|words)\\b',
    '/frontend/src/parts/(Header|Knot|Slice|Trouble)\\b',
  ].join('|'),
)
const FRAME = new RegExp(
  [
    '/frontend/src/lib/(clock|drag|hearing|input|people|sha256|socket|stage|table|tables)\\b',
    '/frontend/src/parts/(Bubble|Drawer|Fairness|Sentence)\\b',
  ].join('|'),
)
const PICTURES = /\/frontend\/src\/(lib\/vignettes|games\/\w+\/Vignette)\b/

/** A game's `shared.json` names the parts that others draw as well, its card or its lessons: they are a piece of their own. */
function shared() {
  const games = join(import.meta.dirname, 'src/games')
  return readdirSync(games)
    .filter((game) => existsSync(join(games, game, 'shared.json')))
    .map((game) => {
      const parts = JSON.parse(readFileSync(join(games, game, 'shared.json'), 'utf8'))
      return { name: `${game}-shared`, test: new RegExp(`/frontend/src/games/${game}/(${parts.join('|')})\\b`) }
    })
}

export default defineConfig({
  plugins: [svelte(), words(), named(), app(), early(), compress()],
  build: {
    outDir: out,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          groups: [{ name: 'first', test: FIRST }, { name: 'frame', test: FRAME }, ...shared(), { name: 'pictures', test: PICTURES }],
        },
      },
    },
  },
  test: { include: ['tests/**/*.test.ts'], setupFiles: ['tests/setup.ts'] },
  server: {
    fs: { allow: [house] },
    proxy: { '/api': { target: process.env.DRUNEMETON_SERVER ?? 'http://127.0.0.1:8137', ws: true } },
  },
})
