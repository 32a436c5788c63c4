interface LaunchParams {
  readonly files?: readonly FileSystemFileHandle[]
}

interface LaunchQueue {
  readonly setConsumer: (consumer: (params: LaunchParams) => void) => void
}

declare global {
  interface Window {
    readonly launchQueue?: LaunchQueue
  }
}

async function readText(handle: FileSystemFileHandle, isNamed: boolean): Promise<string> {
  const { decodeGuessed } = await import('../../lib/text/detect-encoding.ts')
  const file = await handle.getFile()
  const { text } = await decodeGuessed(new Uint8Array(await file.arrayBuffer()), false)
  return isNamed ? `# ${file.name}\n\n${text}` : text
}

/**
 * Receives files that the user opens with the installed app. Several files become one text with headings.
 * @param onKept receives the id under which the text is stored for the editor
 */
export function takeOpenedFiles(onKept: (id: string) => void): void {
  window.launchQueue?.setConsumer(({ files = [] }) => {
    const take = async () => {
      const { storeShare } = await import('../../domains/offline/incoming-shares.ts')
      const texts = await Promise.all(files.map((handle) => readText(handle, files.length > 1)))
      onKept(await storeShare({ title: '', text: texts.join('\n\n'), url: '', files: [] }))
    }
    if (files.length > 0) take().catch(reportError)
  })
}
