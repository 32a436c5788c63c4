import './ui/base.css'

await import('./main.tsx')
