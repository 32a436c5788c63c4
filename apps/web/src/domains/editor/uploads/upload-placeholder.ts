import './upload-placeholder.css'

/** An upload that the editor shows as a placeholder. The placeholder is not part of the text. */
export interface PlaceholderFile {
  readonly name: string
  readonly cancelLabel: string
  readonly retryLabel: string
  readonly onCancel: () => void
  readonly onRetry: () => void
}

export interface FileLink {
  readonly name: string
  readonly address: string
  readonly kind: 'link' | 'image'
  /** Whether the link follows other content, such as another file of the same drop. It then starts on a new line. */
  readonly isNext: boolean
}

export interface UploadPlaceholder {
  readonly progress: (share: number) => void
  readonly setFailed: (hasFailed: boolean) => void
  /**
   * Replaces the placeholder with the link, or removes it if `link` is `null`. Returns whether the placeholder still
   * existed.
   */
  readonly settle: (link: FileLink | null) => boolean
}

/**
 * State of a placeholder. The state outlives the DOM element, which editors recreate when the placeholder scrolls
 * into view.
 */
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
