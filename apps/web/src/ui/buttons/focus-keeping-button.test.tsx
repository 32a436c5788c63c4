// @vitest-environment jsdom
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FocusKeepingButton } from './focus-keeping-button.tsx'

let root: Root
const press = vi.fn<() => void>()
const submit = vi.fn<(event: { preventDefault: () => void }) => void>((event) => event.preventDefault())

const show = (isBusy: boolean) =>
  act(() => {
    root.render(
      <form onSubmit={submit}>
        <FocusKeepingButton type="submit" disabled={isBusy} data-loading={isBusy} onClick={press}>
          Save
        </FocusKeepingButton>
        <input />
      </form>,
    )
  })
const button = () => {
  const found = document.querySelector('button')
  if (!found) throw new Error('There is no button.')
  return found
}

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  document.body.innerHTML = '<div></div>'
  root = createRoot(document.body.firstElementChild ?? document.body)
})
afterEach(() => {
  act(() => root.unmount())
  vi.clearAllMocks()
  vi.unstubAllGlobals()
})

test('a button that becomes busy keeps the focus, and is pressed once', () => {
  show(false)
  act(() => button().focus())
  act(() => button().click())
  show(true)
  act(() => button().click())
  expect(document.activeElement).toBe(button())
  expect(button().disabled).toBe(false)
  expect(button().getAttribute('aria-disabled')).toBe('true')
  expect(button().getAttribute('aria-busy')).toBe('true')
  expect(press).toHaveBeenCalledTimes(1)
  expect(submit).toHaveBeenCalledTimes(1)
  show(false)
  act(() => button().click())
  expect(document.activeElement).toBe(button())
  expect(press).toHaveBeenCalledTimes(2)
})

test('a button without the focus is disabled normally', () => {
  show(false)
  act(() => button().focus())
  show(true)
  act(() => document.querySelector('input')?.focus())
  expect(button().disabled).toBe(true)
  expect(button().hasAttribute('aria-disabled')).toBe(false)
})

test('a button that got the focus without an event also keeps it', () => {
  show(false)
  const silence = (event: Event) => event.stopImmediatePropagation()
  window.addEventListener('focusin', silence, { capture: true })
  button().focus()
  window.removeEventListener('focusin', silence, { capture: true })
  act(() => button().click())
  show(true)
  expect(document.activeElement).toBe(button())
  expect(button().disabled).toBe(false)
})
