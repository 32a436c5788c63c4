import { answerAsks } from '../reading/answer-asks.ts'
import { readSheets } from './sheet-tables.ts'

answerAsks(({ bytes, language }: { bytes: Uint8Array; language: string }) => readSheets(bytes, language))
