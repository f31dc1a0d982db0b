import { svelte } from '@sveltejs/vite-plugin-svelte'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { defineConfig } from 'vite'

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
    resolveId: (id) => (id.startsWith('virtual:words') ? '\0' + id : null),
    load(id) {
      if (id === '\0virtual:words') {
        return `export default {${languages.map((name) => `${name}: () => import('virtual:words/${name}')`).join(', ')}}`
      }
      if (!id.startsWith('\0virtual:words/')) return null
      const folder = join(locales, id.slice('\0virtual:words/'.length))
      const entries = {}
      for (const file of readdirSync(folder).filter((name) => name.endsWith('.json')).sort()) {
        this.addWatchFile(join(folder, file))
        Object.assign(entries, JSON.parse(readFileSync(join(folder, file), 'utf8')))
      }
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(entries))})`
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
  plugins: [svelte(), words(), compress()],
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
