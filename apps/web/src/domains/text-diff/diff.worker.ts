import { compareLines } from './line-diff.ts'

export interface DiffRequest {
  readonly before: string
  readonly after: string
}

self.addEventListener('message', ({ data }: MessageEvent<DiffRequest>) => {
  self.postMessage(compareLines(data.before, data.after), [])
})
