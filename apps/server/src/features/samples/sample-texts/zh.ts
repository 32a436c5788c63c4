import type { SampleTexts } from './index.ts'
import { LEAF_SVG } from './leaf.ts'

const text = `# 周末去湖边

这是一份示例文本，页面上的内容全部由 Markdown 写成。点击**编辑**就能看到原文，也可以直接把链接发给别人。

[[toc]]

## 要带的东西

- [x] 帐篷、两个睡袋
- [x] 炉子和==一罐备用气罐==
- [ ] 泳衣
- [ ] 那台好相机[^camera]

> **周五 17:00** 在车站门口集合，末班车 17:40 开。

## 谁付了多少

| 项目     | 付款人 |       金额 |
| :------- | :----- | ---------: |
| 营地     | 小米   |  ¥ 380.00 |
| 食材     | 阿杰   |  ¥ 265.50 |
| 租船     | 晓彤   |  ¥ 180.00 |
| **合计** |        | **¥ 825.50** |

每人应付 $\\frac{825.50}{3} \\approx 275.17$ 元。

## 怎么去

\`\`\`mermaid
flowchart LR
  车站 -->|12 路公交| 村口
  村口 -->|步行 25 分钟| 湖边
  湖边 --> 营地
\`\`\`

## 顺便一提

代码会按语言着色，还能一键复制：

\`\`\`ts
const share = (total: number, people: number) => total / people

console.log(share(825.5, 3).toFixed(2)) // 275.17
\`\`\`

[^camera]: 蓝色背带的那台。图片可以直接粘贴到文本里。
`

const budget = `类别,预算,已花,剩余
交通,450.00,396.00,54.00
营地,400.00,380.00,20.00
食材,300.00,265.50,34.50
租船,200.00,180.00,20.00
冰淇淋,80.00,96.00,-16.00
`

const readMe = `# 这是示例文件夹

它位于一个挂载点中：可以像磁盘一样浏览的存储。

- 打开文件即可预览，按**空格**逐个查看。
- 可以重命名、移动、复制，也可以从电脑拖入文件。
- 文件可以直接在这里分享，不会另存一份。

移除示例时，您更改过或添加的内容都会保留。
`

const programme = `周六
  09:00  早餐
  10:30  划船去小岛
  13:00  野餐
  16:00  游泳

周日
  09:30  早餐
  11:00  环湖散步
  15:00  坐车回家
`

export const zh: SampleTexts = {
  remark: '示例：周末去湖边',
  text,
  file: { name: '预算.csv', content: budget },
  folder: {
    name: '示例',
    files: [
      { name: '请先看这里.md', content: readMe },
      { name: '日程.txt', content: programme },
      { name: '叶子.svg', content: LEAF_SVG },
    ],
  },
}
