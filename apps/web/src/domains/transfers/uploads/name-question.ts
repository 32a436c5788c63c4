import { useSyncExternalStore } from 'react'
import type { NameConflict } from './taken-names.ts'

/** Existing names in the target folder: one question for all of them. */
export interface NameQuestion {
  readonly directory: string
  /** Existing paths. */
  readonly taken: readonly string[]
  readonly fileCount: number
  /** `null` uploads nothing. */
  readonly answer: (choice: NameConflict | null) => void
}

let questions: readonly NameQuestion[] = []
const listeners = new Set<() => void>()

function publish(next: readonly NameQuestion[]) {
  questions = next
  for (const listener of listeners) listener()
}

/** Asks the user; several questions are queued. */
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
