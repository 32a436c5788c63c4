import './upload-placeholder.css'

/** A file being uploaded into a text: a mark at its position that is not part of the text. */
export interface PlaceholderFile {
  readonly name: string
  readonly cancelLabel: string
  readonly retryLabel: string
  readonly onCancel: () => void
  readonly onRetry: () => void
}

/** What the file became. */
export interface FileLink {
  readonly name: string
  readonly address: string
  readonly kind: 'link' | 'image'
  /** Another one of the same drop stands before it: it has a line of its own. */
  readonly isNext: boolean
}

export interface UploadPlaceholder {
  readonly progress: (share: number) => void
  readonly setFailed: (hasFailed: boolean) => void
  /** Takes the sign away for what it became; `null`: nothing. Answers whether its place was still there. */
  readonly settle: (link: FileLink | null) => boolean
}

/** Outlives its element, which editors make anew when it comes back into view. */
export class PlaceholderModel {
  readonly id: number
  readonly #file: PlaceholderFile
  #share = 0
  #hasFailed = false
  #element: HTMLElement | null = null

  constructor(file: PlaceholderFile) {
    lastId += 1
    this.id = lastId
    this.#file = file
  }

  toDOM(): HTMLElement {
    const { name, cancelLabel, retryLabel, onCancel, onRetry } = this.#file
    const sign = document.createElement('span')
    sign.className = 'dl-upload'
    sign.contentEditable = 'false'
    const label = document.createElement('span')
    label.textContent = name
    const bar = document.createElement('progress')
    bar.max = 1
    bar.setAttribute('aria-label', name)
    const retry = document.createElement('button')
    retry.type = 'button'
    retry.textContent = retryLabel
    retry.addEventListener('click', onRetry)
    const cancel = document.createElement('button')
    cancel.type = 'button'
    cancel.textContent = '×'
    cancel.setAttribute('aria-label', cancelLabel)
    cancel.addEventListener('click', onCancel)
    sign.append(label, bar, retry, cancel)
    this.#element = sign
    this.#show()
    return sign
  }

  progress(share: number): void {
    this.#share = share
    this.#show()
  }

  setFailed(hasFailed: boolean): void {
    this.#hasFailed = hasFailed
    this.#share = 0
    this.#show()
  }

  #show(): void {
    const bar = this.#element?.querySelector('progress')
    if (bar && this.#share > 0) bar.value = this.#share
    else bar?.removeAttribute('value')
    this.#element?.toggleAttribute('data-failed', this.#hasFailed)
  }
}

let lastId = 0
