import { expect, type Page } from '@playwright/test'

/** Returns the last part of each key in a table of the offline database. */
export const keptKeys = (page: Page, table: string): Promise<string[]> =>
  page.evaluate(
    (name) =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open('dropleaf-offline')
        opening.addEventListener('error', () => reject(new Error('The database does not open.')))
        opening.addEventListener('success', () => {
          const database = opening.result
          const asking = database.transaction(name).objectStore(name).getAllKeys()
          asking.addEventListener('success', () => {
            database.close()
            resolve(
              asking.result.map((key) => (Array.isArray(key) ? (key.at(-1) as string) : (key as string))),
            )
          })
        })
      }),
    table,
  )

/** Waits until a response that the page has read is stored on the device. */
export const isKept = (page: Page, table: string, key: string): Promise<void> =>
  expect.poll(() => keptKeys(page, table)).toContain(key)
