// Runs before the first paint: colour scheme and language of the page, without a flash of the wrong one.
;(function () {
  var root = document.documentElement
  var mode = 'auto'
  var language = null
  try {
    mode = localStorage.getItem('themeMode')
    language = localStorage.getItem('language')
  } catch {
    // Storage may be blocked; the defaults stand.
    mode = 'auto'
  }
  var isDark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
  var isKnown = language === 'zh-CN' || language === 'en-US'
  var chosen = isKnown ? language : /^zh/i.test(navigator.language) ? 'zh-CN' : 'en-US'
  root.lang = chosen
  // The name under which the app is installed is in the same language.
  var manifest = document.querySelector('link[rel="manifest"]')
  if (manifest && chosen === 'zh-CN')
    manifest.href = manifest.href.replace(/manifest\.webmanifest$/, 'manifest.zh-CN.webmanifest')
})()
