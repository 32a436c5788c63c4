import { readFileSync } from 'node:fs'

const CHECK_MS = 500
const SHELL = /^(?:a|ba|da|k|z)?sh$/

/**
 * Returns the name and the parent of a process. Returns `null` if there is no such process, or the system does not
 * report them.
 */
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
 * Ends a program when the npm that started this script has exited. npm sends SIGTERM to the shell between npm and this
 * script, and the shell does not forward it. If npm is killed, even the shell gets no signal.
 */
export function stopWithoutParent(child) {
  const parent = process.ppid
  const shell = processOf(parent)
  // Watches npm only if the parent is a shell, because only the parent of that shell is certainly npm. The parent of
  // npm can end earlier.
  const npm = shell && SHELL.test(shell.name) ? shell.parent : null
  const isLeft = () => process.ppid !== parent || (npm !== null && processOf(parent)?.parent !== npm)
  const timer = setInterval(() => {
    if (!isLeft()) return
    clearInterval(timer)
    child.kill('SIGTERM')
  }, CHECK_MS)
  timer.unref()
}
