import { storageConformance } from '../conformance.ts'
import { temporaryDisk } from './testing/temporary-disk.ts'

const conform = (name: string, o: { syncs: boolean }) =>
  storageConformance(name, async () => {
    const disk = await temporaryDisk(o)
    return {
      driver: disk.driver,
      reopen: disk.reopen,
      leftovers: disk.leftovers,
      leavesPartsOut: true,
      cleanup: disk.remove,
    }
  })

conform('Local disk [disk]', { syncs: true })
conform('Local disk that leaves syncing to the system [disk]', { syncs: false })
