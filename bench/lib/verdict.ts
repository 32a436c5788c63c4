import { loadavg } from 'node:os'

/** Compares figures with their limits. If a figure exceeds its limit, the program exits with code 1. */
export function createVerdict() {
  const broken: string[] = []
  return {
    /** Prints a figure with its limit. */
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
