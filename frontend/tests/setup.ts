/** As much of a browser as modules touch when they are loaded: what is tested here is pure. */
const silent = { matches: false, addEventListener() {} }
const nothing = new Map<string, string>()
Object.assign(globalThis, {
  location: new URL('http://grove.test/'),
  matchMedia: () => silent,
  localStorage: { getItem: (key: string) => nothing.get(key) ?? null, setItem: (key: string, value: string) => nothing.set(key, value) },
  document: { documentElement: { dataset: {}, lang: '' }, hidden: false, addEventListener() {} },
  addEventListener() {},
})
