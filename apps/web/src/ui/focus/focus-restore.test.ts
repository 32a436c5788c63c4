// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepFocus, rememberFocus } from './focus-restore.ts'

let root: HTMLElement
let stop: () => void
const settle = () => new Promise((resolve) => setTimeout(resolve, 0))
const button = (id: string) => document.querySelector<HTMLElement>(`#${id}`)

beforeEach(() => {
  document.body.innerHTML = `
    <div id="root" tabindex="-1">
      <button id="close">x</button>
      <ul id="running">
        <li data-focus-item="a"><button id="a-pause">pause</button><button id="a-cancel">cancel</button></li>
        <li data-focus-item="b"><button id="b-pause">pause</button><button id="b-cancel">cancel</button></li>
      </ul>
      <ul id="ended"></ul>
    </div>
    <button id="outside">outside</button>`
  const element = document.querySelector<HTMLElement>('#root')
  if (!element) throw new Error('There is no root.')
  root = element
  stop = keepFocus(root)
})
afterEach(() => stop())

test('a button that is replaced by another passes the focus on', async () => {
  button('a-pause')?.focus()
  button('a-pause')?.replaceWith(
    Object.assign(document.createElement('button'), { id: 'a-resume', textContent: 'resume' }),
  )
  await settle()
  expect(document.activeElement?.id).toBe('a-resume')
})

test('the focus follows an item to another list', async () => {
  button('a-cancel')?.focus()
  document.querySelector('[data-focus-item="a"]')?.remove()
  const ended = '<li data-focus-item="a"><button id="a-forget">forget</button></li>'
  document.querySelector('#ended')?.insertAdjacentHTML('beforeend', ended)
  await settle()
  expect(document.activeElement?.id).toBe('a-forget')
})

test('after a removal the next item has the focus, otherwise the previous one, otherwise the list', async () => {
  button('a-cancel')?.focus()
  document.querySelector('[data-focus-item="a"]')?.remove()
  await settle()
  expect(document.activeElement?.id).toBe('b-pause')
  button('b-cancel')?.setAttribute('disabled', '')
  button('b-pause')?.focus()
  document.querySelector('[data-focus-item="b"]')?.remove()
  await settle()
  expect(document.activeElement?.id).toBe('root')
})

test('a button that is disabled passes the focus on', async () => {
  button('b-pause')?.focus()
  button('b-pause')?.setAttribute('disabled', '')
  await settle()
  expect(document.activeElement?.id).toBe('b-cancel')
})

test('the focus is not restored after the user has moved it', async () => {
  button('a-pause')?.focus()
  button('a-pause')?.blur()
  await settle()
  button('a-pause')?.remove()
  await settle()
  expect(document.activeElement).toBe(document.body)
  button('b-pause')?.focus()
  button('outside')?.focus()
  button('b-pause')?.remove()
  await settle()
  expect(document.activeElement?.id).toBe('outside')
})

test('what has gone gives its focus to what is in its place: the next row, the one before, what is around them', () => {
  button('a-cancel')?.focus()
  const giveBack = rememberFocus()
  button('outside')?.focus()
  giveBack()
  expect(document.activeElement).toBe(button('a-cancel'))

  button('a-cancel')?.closest('li')?.remove()
  giveBack()
  expect(document.activeElement).toBe(button('b-pause'))

  const giveBackLast = rememberFocus()
  button('b-pause')?.closest('li')?.remove()
  giveBackLast()
  expect(document.activeElement).toBe(button('close'))
})

/** Creates the menu of a button, with the focus on an item. */
function openMenu(): HTMLElement {
  const menu = document.createElement('div')
  menu.setAttribute('role', 'menu')
  menu.setAttribute('aria-labelledby', 'outside')
  menu.innerHTML = '<button id="choice">delete</button>'
  document.body.append(menu)
  button('choice')?.focus()
  return menu
}

test('a choice of a menu gives the focus back to the button of the menu', () => {
  const menu = openMenu()
  const giveBack = rememberFocus()
  menu.remove()
  giveBack()
  expect(document.activeElement).toBe(button('outside'))
})

test('so it does when the menu has gone before the dialog of the choice comes', () => {
  const menu = openMenu()
  menu.remove()
  const giveBack = rememberFocus()
  giveBack()
  expect(document.activeElement).toBe(button('outside'))
})

test('if two dialogs close at once, the outer one determines the focus', () => {
  button('b-pause')?.focus()
  const giveBackOuter = rememberFocus()
  const dialog = document.createElement('div')
  dialog.innerHTML = '<button id="inside">discard</button>'
  document.body.append(dialog)
  button('inside')?.focus()
  const giveBackInner = rememberFocus()
  dialog.remove()
  giveBackOuter()
  giveBackInner()
  expect(document.activeElement).toBe(button('b-pause'))
})

test('a removed tool passes the focus to its list', () => {
  root.insertAdjacentHTML(
    'beforeend',
    '<div><div id="tools"><button id="delete">delete</button></div><div role="grid" id="list" tabindex="0"></div></div>',
  )
  button('delete')?.focus()
  const giveBack = rememberFocus()
  button('delete')?.remove()
  giveBack()
  expect(document.activeElement?.id).toBe('list')
})
