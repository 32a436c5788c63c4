import { readFileSync } from 'node:fs'

const CHECK_MS = 500
const SHELL = /^(?:a|ba|da|k|z)?sh$/

/** The name of a process, and who has started it. `null` where the system does not tell, or there is no such process. */
function processOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [, name, rest] = /^\d+ \((.*)\) \S (.*)$/s.exec(text) ?? []
    return { name, parent: Number.parseInt(rest, 10) }
  } catch {
    return null
  }
}

/**
 * Ends a program once npm is gone, which has started us. npm hands SIGTERM to the shell between it and us, and that shell hands it to
 * nobody; of npm's own end by SIGKILL even that shell learns nothing.
 */
export function stopWithoutParent(child) {
  const parent = process.ppid
  const shell = processOf(parent)
  // Whoever has started npm may go: it is the shell's parent alone that is npm for sure.
  const npm = shell && SHELL.test(shell.name) ? shell.parent : null
  const isLeft = () => process.ppid !== parent || (npm !== null && processOf(parent)?.parent !== npm)
  const timer = setInterval(() => {
    if (!isLeft()) return
    clearInterval(timer)
    child.kill('SIGTERM')
  }, CHECK_MS)
  timer.unref()
}
