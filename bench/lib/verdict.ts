import { loadavg } from 'node:os'

/** Compares figures with their limits. A broken limit ends the program with 1. */
export function createVerdict() {
  const broken: string[] = []
  return {
    /** Prints a figure beside its limit. */
    require(isGood: boolean, figure: string): void {
      if (!isGood) broken.push(figure)
      console.log(`${isGood ? 'good  ' : 'BROKEN'} ${figure}`)
    },
    end(): void {
      const load = loadavg().map((one) => one.toFixed(1))
      console.log(`${broken.length} limits broken; load average ${load.join(' ')}`)
      if (broken.length > 0) process.exitCode = 1
    },
  }
}
