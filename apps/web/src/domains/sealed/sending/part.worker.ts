import { createPartService, type PartRequest } from './part-service.ts'

const scope = globalThis as unknown as DedicatedWorkerGlobalScope
const serve = createPartService((reply, transfer) => scope.postMessage(reply, transfer))

scope.addEventListener('message', ({ data }: MessageEvent<PartRequest>) => serve(data))
