import { useSyncExternalStore } from 'react'
import type { NameConflict } from './taken-names.ts'

/** One question about all names that already exist in the target folder and below it. */
export interface NameQuestion {
  readonly directory: string
  /** Paths that already exist. */
  readonly taken: readonly string[]
  readonly fileCount: number
  /** @param choice `null` means that nothing is uploaded */
  readonly answer: (choice: NameConflict | null) => void
}

let questions: readonly NameQuestion[] = []
const listeners = new Set<() => void>()

function publish(next: readonly NameQuestion[]) {
  questions = next
  for (const listener of listeners) listener()
}

/** Asks the user how to handle existing names. Further questions are queued. */
export function askAboutNames(asked: Omit<NameQuestion, 'answer'>): Promise<NameConflict | null> {
  return new Promise((resolve) => {
    const question: NameQuestion = {
      ...asked,
      answer(choice) {
        publish(questions.filter((other) => other !== question))
        resolve(choice)
      },
    }
    publish([...questions, question])
  })
}

const getNameQuestion = (): NameQuestion | null => questions[0] ?? null

export const useNameQuestion = (): NameQuestion | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    getNameQuestion,
    getNameQuestion,
  )
