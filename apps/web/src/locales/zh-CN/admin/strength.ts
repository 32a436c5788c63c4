export const strength = {
  label: '强度：{{level}}',
  levels: { '0': '很弱', '1': '弱', '2': '一般', '3': '强', '4': '很强' },
  warnings: {
    straightRow: '键盘上相邻的一排键很容易被猜到。',
    keyPattern: '短的键盘图案很容易被猜到。',
    simpleRepeat: '“aaa”这样的重复很容易被猜到。',
    extendedRepeat: '“abcabcabc”这样的重复只比“abc”难猜一点。',
    sequences: '“abc”“6543”这样的连续字符很容易被猜到。',
    recentYears: '近年的年份很容易被猜到。',
    dates: '日期很容易被猜到。',
    topTen: '这是最常用的十个密码之一。',
    topHundred: '这是最常用的一百个密码之一。',
    common: '这是一个很常用的密码。',
    similarToCommon: '这和一个常用密码很像。',
    wordByItself: '单个词很容易被猜到。',
    userInputs: '不要使用用户名或本站的名称。',
  },
}
