import type { Encoding } from './detect-encoding.ts'

// The most frequent characters of text corpora and file names.
const SIMPLIFIED =
  '的一是了我不人在他有这个上们来到时大地为子中你说生国年着就那和要她出也得里后自以会家可下而过天去能对小多然于心学么之都好看起发当没成' +
  '只如事把还用第样道想作种开美总从无情己面最女但现前些所同日手又行意动方期它头经长儿回位分爱老因很给名法间斯知世什两次使身者被高已亲其进此话常' +
  '与活正感见明问力理尔点文几定本公特做外孩相西果走将月十实向声车全信重三机工物气每并别真打太新比才便夫再书部水像眼等体却加电主界门利海受听表德少' +
  '克代员许先口由死安写性马光白或住难望教命花结乐色更拉东神记处让母父应直字场平报友关放至张认接告入笑内英军候民岁往何度山觉路带万男边风解叫任金快' +
  '原吃妈变通师立象数四失满战远格士音轻目条呢您您测试文件档案简体繁称编码李王刘陈杨黄赵周吴徐孙五六七八九百千北京南州省市区县号单合同表格图片说明' +
  '数据系统用户密资料项目程序设计计划报告总结会议记录请求注意版本运行错误输入输出登录账网络地址服务管理员测量你好世界再见谢谢欢迎上下左右前后春夏秋冬'
const TRADITIONAL =
  '的一是了我不人在他有這個上們來到時大地為子中你說生國年著就那和要她出也得裡後自以會家可下而過天去能對小多然於心學麼之都好看起發當沒成' +
  '只如事把還用第樣道想作種開美總從無情己面最女但現前些所同日手又行意動方期它頭經長兒回位分愛老因很給名法間斯知世什兩次使身者被高已親其進此話常' +
  '與活正感見明問力理爾點文幾定本公特做外孩相西果走將月十實向聲車全信重三機工物氣每並別真打太新比才便夫再書部水像眼等體卻加電主界門利海受聽表德少' +
  '克代員許先口由死安寫性馬光白或住難望教命花結樂色更拉東神記處讓母父應直字場平報友關放至張認接告入笑內英軍候民歲往何度山覺路帶萬男邊風解叫任金快' +
  '原吃媽變通師立象數四失滿戰遠格士音輕目條呢您測試文件檔案簡體繁稱編碼李王劉陳楊黃趙周吳徐孫五六七八九百千北京南州省市區縣號單合同表格圖片說明' +
  '數據系統用戶密資料項目程序設計計劃報告總結會議記錄請求注意版本運行錯誤輸入輸出登錄帳網絡地址服務管理員你好世界再見謝謝歡迎份許常字'
const KANJI =
  '日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回新場金員九入選立開手米力学問高代明実円関決' +
  '子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法不来作性的要用制治度務強気小七成期公野協取都和統以機平総加山思家話世受区領多県続進正安' +
  '設保改数記院女初北午指権心界支第産結百派点教報済書府活原先共得解名交資予川向際査勝面委告軍文反元重近千考判認画海参売利組知案道信策集在件団別物側' +
  '任引使求所次水半品昨論計死官増係感特情投示変打男基私各始島直両朝革価式確村提運終挙果西勢減台広容必応演電歳住争談能無再位置企真流格有疑口過局少放' +
  '税検藤町常校料沢裁状工建語球営空職証土与急止送援供可役構木割聞身費付施切由説転食比難防補車優夫研収断井何南石足違消境神番規術護展態導鮮備宅害配副' +
  '算視条幹独警宮究育席輸訪楽起万着乗店述残想線率病農州武声質念待試族象銀域助労例衛然早張映限親額監環験追審商葉義伝働形景落欧担好退準賀訴辺造英被株' +
  '頭技低毎医復仕去姿味負閣韓渡失移差衆個門写評課末守若脳極種美岡影命含福蔵量望松非撃佐核観察整段横融型白深字答夜製票況音申様財港識注呼渉達'
const HANGUL =
  '이다는을의에가고지하로기한사시어리도자대인나라그수정들아서해만일부있은제전보와상장소게과동여용것주관스무으면위원국중안경세조구성생신모니선전' +
  '우오비공유연계되방미실마양말드때며할거저까문물더진개내화발통간행년적등회학체같두분명당년단바없들트않치재건민심모최속력러입강산금살감식피요음' +
  '교박종투추결운목날변많못레차합본런남임출프람후터려았었습니까십세안녕요테스트파일글한국어영문서류목록번호반갑록편집읽쓰새큰작은김최박윤임송홍' +
  '배권노른를올든각밝던타란듣알책길버려온외격증현접질외책네왔했된될함업영북여역영평군포워디북배손느낌질청허져둘먼몇'

const setOf = (text: string) => new Set(text)
const SIMPLE = setOf(SIMPLIFIED)
const OLD = setOf(TRADITIONAL)
const JAPANESE = setOf(KANJI)
const KOREAN = setOf(HANGUL)

const PUNCTUATION = '\u3000-\u3002\u300A-\u3011\u2014\u2018-\u201D\u2026\u00B7\uFF01-\uFF5E'
const MARKS = new RegExp(`[${PUNCTUATION}]`, 'u')
/**
 * Full-width kana. Half-width kana are excluded, because text in other encodings looks like half-width kana when it is
 * decoded as Shift_JIS.
 */
const KANA = /[\u3041-\u3096\u30A1-\u30FC]/u

/** For each encoding, whether a character is common in its texts. */
const USUAL: readonly (readonly [Encoding, (letter: string) => boolean])[] = [
  ['gb18030', (letter) => SIMPLE.has(letter)],
  ['big5', (letter) => OLD.has(letter)],
  ['shift_jis', (letter) => KANA.test(letter) || JAPANESE.has(letter)],
  ['euc-jp', (letter) => KANA.test(letter) || JAPANESE.has(letter)],
  ['euc-kr', (letter) => KOREAN.has(letter)],
]

/**
 * Minimum proportion of common characters. Short texts need a higher proportion, because they match more easily by
 * chance.
 */
const MIN_SHARE = 0.5
const MIN_SHARE_OF_FEW = 0.75
const FEW_LETTERS = 6
/** Minimum number of characters, because a single character is not significant. */
const MIN_LETTERS = 2
/** A text with fewer bytes than this number is complete, including its last character. */
const CUT_BYTES = 4096

/**
 * Returns the proportion of common characters among the non-ASCII characters, without punctuation. Returns 0 if the
 * proportion is too low, if there are too few characters, or if the bytes are invalid in the encoding.
 */
function shareOf(bytes: Uint8Array, encoding: Encoding, isUsual: (letter: string) => boolean): number {
  let text: string
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: bytes.length >= CUT_BYTES })
  } catch {
    return 0
  }
  let usual = 0
  let letters = 0
  for (const letter of text) {
    if (letter <= '\u007F' || MARKS.test(letter)) continue
    letters += 1
    if (isUsual(letter)) usual += 1
  }
  const share = letters < MIN_LETTERS ? 0 : usual / letters
  return share < (letters < FEW_LETTERS ? MIN_SHARE_OF_FEW : MIN_SHARE) ? 0 : share
}

/**
 * Finds the East Asian encoding in which the text has the most common characters. Byte statistics fail for a few words,
 * but text in another encoding rarely decodes to common characters.
 */
export function findEastAsian(bytes: Uint8Array): Encoding | null {
  let found: Encoding | null = null
  let best = 0
  for (const [encoding, isUsual] of USUAL) {
    const share = shareOf(bytes, encoding, isUsual)
    if (share <= best) continue
    found = encoding
    best = share
  }
  return found
}
