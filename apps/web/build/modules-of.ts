import type { Plugin } from 'vite'

/**
 * The modules that one needs before anything else, whoever needs them too: what is waited for together is asked for at once.
 *
 * @param entry the end of its path
 */
export function modulesOf(entry: string): {
  readonly plugin: Plugin
  readonly has: (id: string) => boolean
} {
  const found = new Set<string>()
  const plugin: Plugin = {
    name: `dropleaf:modules-of:${entry}`,
    apply: 'build',
    buildEnd() {
      const first = [...this.getModuleIds()].find((id) => id.endsWith(entry))
      const imports = (id: string) => this.getModuleInfo(id)?.importedIds ?? []
      if (first === undefined) this.error(`There is no module ${entry}.`)
      const waiting = [...imports(first)]
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        if (found.has(id)) continue
        found.add(id)
        waiting.push(...imports(id))
      }
    },
  }
  return { plugin, has: (id) => found.has(id) }
}
