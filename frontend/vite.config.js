import { svelte } from '@sveltejs/vite-plugin-svelte'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { defineConfig } from 'vite'
import { png } from './icons.js'

const house = resolve(import.meta.dirname, '..')
const locales = join(house, 'src/drunemeton/locales')
const out = process.env.DRUNEMETON_ASSETS ?? join(house, 'src/drunemeton/server/assets')

/** The catalogues of the house, one chunk per language: `virtual:words` offers them, `virtual:words/de` is one. */
function words() {
  const languages = ['en', 'de', 'nl', 'fr'].filter((name) => {
    try {
      return readdirSync(join(locales, name)).includes('web.json')
    } catch {
      return false
    }
  })
  return {
    name: 'words',
    resolveId: (id) => (id.startsWith('virtual:words') || id === 'virtual:offline-words' ? '\0' + id : null),
    load(id) {
      if (id === '\0virtual:words') {
        return `export default {${languages.map((name) => `${name}: () => import('virtual:words/${name}')`).join(', ')}}`
      }
      if (id === '\0virtual:offline-words') {
        const said = languages.map((name) => {
          const entries = Object.entries(entriesOf(name, this)).filter(([key]) => key.startsWith('web.offline') || key === 'web.again')
          return [name, Object.fromEntries(entries)]
        })
        return `export default ${JSON.stringify(Object.fromEntries(said))}`
      }
      if (!id.startsWith('\0virtual:words/')) return null
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(entriesOf(id.slice('\0virtual:words/'.length), this)))})`
    },
  }
}

/** All entries of a language; whoever builds on them is built anew when they change. */
function entriesOf(language, build) {
  const folder = join(locales, language)
  const entries = {}
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json')).sort()) {
    build.addWatchFile(join(folder, file))
    Object.assign(entries, JSON.parse(readFileSync(join(folder, file), 'utf8')))
  }
  return entries
}

/** What makes the page an app: icons as pictures, and a worker with a page for the time without a connection. */
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
      const svg = readFileSync(join(here, 'public/icon.svg'), 'utf8')
      const emit = (fileName, source) => this.emitFile({ type: 'asset', fileName, source })
      emit('icon-192.png', png(svg, 192))
      emit('icon-512.png', png(svg, 512))
      emit('icon-maskable-512.png', png(svg, 512, true))
      for (const name of ['offline.html', 'offline.css']) emit(name, text(name))
      const build = createHash('sha256').update(Object.keys(bundle).sort().join() + bundle['offline.js'].code + text('offline.html') + text('offline.css')).digest('hex').slice(0, 12)
      emit('sw.js', text('sw.js').replace('BUILD', build))
    },
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

const FIRST = /\/node_modules\/(svelte|esm-env|clsx)\/|\/frontend\/src\/(lib\/(api|game|pages|router|settings|tables|words)|parts\/(Header|Knot|Trouble)|pages\/Lobby|games\/\w+\/(index|Vignette|crown|Druid|Sign|Spirit|Turning|view)\b)/
const first = (id) => FIRST.test(id)

export default defineConfig({
  plugins: [svelte(), words(), app(), compress()],
  build: {
    outDir: out,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // What the first page needs comes in one piece; tables, rules and languages are fetched when they are wanted.
    rolldownOptions: { checks: { pluginTimings: false }, output: { codeSplitting: { groups: [{ name: 'first', test: first }] } } },
  },
  server: {
    fs: { allow: [house] },
    proxy: { '/api': { target: process.env.DRUNEMETON_SERVER ?? 'http://127.0.0.1:8000', ws: true } },
  },
})
