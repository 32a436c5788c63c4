import './upload-placeholder.css'

/** An upload into a text: shown as a placeholder, which is not part of the text. */
export interface PlaceholderFile {
  readonly name: string
  readonly cancelLabel: string
  readonly retryLabel: string
  readonly onCancel: () => void
  readonly onRetry: () => void
}

/** The uploaded file. */
export interface FileLink {
  readonly name: string
  readonly address: string
  readonly kind: 'link' | 'image'
  /** The file is not the first one of a drop, so its link goes on a new line. */
  readonly isNext: boolean
}

export interface UploadPlaceholder {
  readonly progress: (share: number) => void
  readonly setFailed: (hasFailed: boolean) => void
  /** Replaces the placeholder by the link; `null` only removes it. Returns whether the placeholder still existed. */
  readonly settle: (link: FileLink | null) => boolean
}

/** Outlives its element, which editors create again when it is scrolled into view. */
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
