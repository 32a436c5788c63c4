const WORDS =
  'report invoice holiday family backup project design meeting notes summer winter draft final contract scan photo music album video lecture chapter budget archive system config readme index'.split(
    ' ',
  )
const HAN =
  '会议纪要年度报告设计文档照片备份项目合同发票旅行家庭音乐视频课程第一章预算系统配置说明测试数据分析图片北京上海广州工作总结计划方案'
const ENDINGS = ['jpg', 'png', 'pdf', 'docx', 'mp4', 'txt', 'zip', 'tar.gz', 'md', 'xlsx']

/** Generates names like those that people and cameras give to files. The names are identical in every run. */
export function createNames(): (index: number) => string {
  let state = 12_345
  const below = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
  const of = (list: readonly string[] | string) => list[below(list.length)] ?? ''
  const digits = (count: number, limit: number) => String(below(limit)).padStart(count, '0')
  return (index) => {
    const kind = below(10)
    if (kind < 3)
      return `IMG_20${10 + below(20)}${digits(2, 12)}${digits(2, 28)}_${digits(6, 1e6)}_${index}.jpg`
    if (kind < 7) return `${of(WORDS)}-${of(WORDS)} ${index.toString(36)}.${of(ENDINGS)}`
    return `${Array.from({ length: 3 + below(6) }, () => of(HAN)).join('')}${index}.${of(ENDINGS)}`
  }
}
