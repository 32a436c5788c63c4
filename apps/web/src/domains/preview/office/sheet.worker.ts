import { answerRequests } from '../reading/answer-requests.ts'
import { readSheets } from './sheet-tables.ts'

answerRequests(({ bytes, language }: { bytes: Uint8Array; language: string }) => readSheets(bytes, language))
