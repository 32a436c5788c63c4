import type { Texts } from './index.ts'

export const zh: Texts = {
  usage: `用法：dropleaf [serve]                    启动服务，端口 PORT（8787），数据保存在 DATA_DIR（./data）

分享到已有的服务器：
       dropleaf login                    询问服务器地址和 API 密钥并保存
       dropleaf logout                   清除保存的内容
       dropleaf text [文件|-]            分享文本，输出链接
       dropleaf file 文件...             分享文件；大文件中断后，再执行一次相同的命令即可续传
       dropleaf share 路径...            用一个链接分享多个文件、文件夹和一段文本
       dropleaf list                     列出该密钥的分享
       dropleaf get 链接|后缀            读取文本、下载文件或合集；中断后再执行一次即可续传
       dropleaf open 文件 [密钥]         打开加密副本，不需要服务器
       dropleaf delete 链接|后缀...      删除分享

  --server 地址       服务器地址；也可用 DROPLEAF_SERVER 或 login 保存的地址
  --key 密钥          建议用 DROPLEAF_KEY 或 login：命令行上的内容其他人看得到
  --expires 时间      12h、7d、4w 或 never            （text、file、share）
  --views 次数        查看这么多次后失效              （text、file、share）
  --seal              端到端加密：只有带着 # 后面密钥的完整链接才能打开
                                                      （text、file、share）
  --password 密码     打开时需要的密码；建议用 DROPLEAF_PASSWORD 或 --ask-password
                                                      （text、file、share、get、open）
  --ask-password      在终端中询问密码                （text、file、share、get、open）
  --opening 方式      ask 或 direct；使用 --views 或 --pin 时默认 ask：先确认再打开，
                      链接预览不会消耗查看次数        （text、file、share）
  --pin 数字          4 至 8 位数字，也可用 DROPLEAF_PIN  （text、file、share、get）
  --link 后缀         自定义链接后缀                  （text、file、share）
  --remark 备注       备注；合集的备注只有您看得到    （text、file、share）
  --title 标题        合集的标题                      （share）
  --page 文件         合集的页面文本，- 表示标准输入；不指定时，如果第一个参数是唯一的
                      Markdown 文件，就用它           （share）
  --no-page           把它作为文件分享                （share）
  --plain             纯文本，不是 Markdown           （text、share）
  --name 名称         文件的另一个名称                （file）
  --folder 文件夹     存放的文件夹                    （file、share）
  --whole             不分片上传；与 --seal 一起使用时经由服务器上传  （file、share）
  -o, --output 文件   保存到哪里，- 表示标准输出      （get、open）
  --only 路径         合集中的一个文件或文件夹        （get、open）
  --force             覆盖已有的文件                  （get、open）
  --encrypted         原样保存加密的合集，供 dropleaf open 打开  （get）
  --manifest 文件     副本的 manifest（如果不在副本旁边）        （open）
  --limit 数量        列出多少条，默认 50             （list）
  --json              以 JSON 输出

加密分享的密钥也可以放在 DROPLEAF_SHARE_KEY 中，因为 shell 会保存命令行。

管理服务器：
       dropleaf backup [文件夹]          保存全部数据
       dropleaf restore 文件夹 [--force] [--same-server]
       dropleaf rotate-secret            更换密钥并重新加密
       dropleaf reset-password [-]       重置管理员密码：用 ADMIN_PASSWORD、标准输入（-），
                                         或打印一个随机密码
       dropleaf import-cloudpaste 文件 [--dry-run] [--all]
       dropleaf --version | help`,
  'usage.command': '没有命令 {name}。请看：dropleaf help',
  'usage.early_option':
    '命令之前没有选项 {name}。服务器用环境变量设置，例如：PORT=80 dropleaf。请看：dropleaf help',
  'usage.option': '这里没有选项 {name}。请看：dropleaf help',
  'usage.options': '无法识别选项：{detail}',
  'usage.words': '{command} 不接受 {word}。',
  'usage.files': '请指明要分享的文件。',
  'usage.one_file': '--link 和 --name 只能用于一个文件。',
  'usage.stdin_name': '来自标准输入的内容需要用 --name 指定名称。',
  'usage.stdin_seal': '标准输入的大小未知，无法加密。请先保存为文件，或使用：dropleaf text --seal',
  'usage.encrypted': '--encrypted 只能用于端到端加密的合集。',
  'usage.encrypted_whole': '--encrypted 把整个合集保存为一个文件，不能与 --only 和 -o - 一起使用。',
  'usage.open': '请指明一份加密副本的文件或文件夹。',
  'usage.paths': '请指明要分享的文件和文件夹。',
  'usage.page': '--page 和 --no-page 不能同时使用。',
  'usage.share_stdin': '标准输入只能作为页面文本：--page -',
  'usage.only': '--only 需要合集中一个文件或文件夹的路径。',
  'usage.only_stdout': '只有合集中的单个文件可以输出到标准输出：--only 路径 -o -。否则请用 -o 指定文件夹。',
  'usage.one_text': '一次只能分享一段文本。',
  'usage.share': '请用链接或链接后缀指明分享。',
  'usage.expires': '--expires 可以是 12h、7d、4w 或 never，不能是 {value}。',
  'usage.opening': '--opening 可以是 ask 或 direct，不能是 {value}。',
  'usage.pin': 'PIN 码应为 4 至 8 位数字。',
  'usage.number': '{name} 必须是从 1 开始的整数，不能是 {value}。',
  'usage.server': '{value} 不是服务器地址。地址以 http:// 或 https:// 开头。',
  'usage.no_server': '哪个服务器？请先执行：dropleaf login（或设置 DROPLEAF_SERVER）。',
  'usage.no_key': '需要密钥。请先执行：dropleaf login（或设置 DROPLEAF_KEY）。',
  'usage.no_terminal': '没有可以询问的终端。',
  'usage.other_server': '{link} 属于另一个服务器，不是 {server}。',
  'usage.two_shares': '有几个分享都叫 {name}，请用完整链接指明。',
  'config.open': '其他人可以读取 {file}，其中有您的密钥。请执行：chmod 600 {file}',
  'config.broken': '无法读取 {file}。请执行：dropleaf login',
  'config.unusable':
    '无法修改 {file}：{detail}。请确认有写入权限，或用 XDG_CONFIG_HOME（Windows 上为 APPDATA）指定其他位置。',
  'file.missing': '没有文件 {file}。',
  'file.folder': '{file} 是文件夹。请先打包，或分享其中的文件。',
  'file.not_regular': '{file} 不是普通文件。管道的内容可以这样分享：dropleaf file - --name 名称 < {file}',
  'file.unreadable': '无法读取 {file}：{detail}',
  'file.changed': '{file} 在上传过程中被修改，请再执行一次相同的命令。',
  'file.exists': '{file} 已存在。用 --force 覆盖，或用 -o 指定其他名称。',
  'file.special': '{file} 已存在且不是普通文件，不会被覆盖。用 -o 指定其他名称，-o - 表示标准输出。',
  'file.name_too_long': '无法写入 {file}：名称过长，请用 -o 指定其他名称。',
  'file.unwritable': '无法写入 {file}：{detail}',
  'file.disk_full': '无法写入 {file}：磁盘已满。',
  'file.no_folder': '无法写入 {file}：没有文件夹 {folder}。',
  'file.not_permitted': '无法写入 {file}：没有写入权限。',
  'file.read_only': '无法写入 {file}：磁盘是只读的。',
  'share.link': '{file} 是符号链接，不会跟随。请直接分享它指向的文件或文件夹。',
  'share.link_left_out': '已跳过（不跟随符号链接）：{file}',
  'share.folder_left_out': '已跳过（空文件夹无法分享）：{file}',
  'share.special': '{file} 既不是文件也不是文件夹。请把它移出文件夹，或逐个指明其他文件。',
  'share.name_encoding': '{file} 的名称不是 UTF-8，请重命名。',
  'share.too_many': '一个合集最多有 {count} 个文件。请把一部分文件打包。',
  'share.too_long': '页面文本和路径过长，无法放入一个合集。请把文本作为文件分享：--no-page',
  'share.empty': '没有可分享的内容：文件夹中没有文件。',
  'share.unusable': '没有发送任何内容：有 {count} 个文件的名称不可用，请重命名。',
  'share.path_length': '{file}：路径过长，请缩短文件夹的名称。',
  'share.path_name': '{file}：名称不可用，或超过 255 字节，请重命名。',
  'share.path_characters': '{file}：名称中有反斜杠、控制字符或方向字符，请重命名。',
  'share.path_duplicate': '{file}：与另一个路径相同，或只有大小写不同。请重命名其中一个，或分开分享。',
  'share.path_below_item': '{file}：所在文件夹与一个文件同名（可能只有大小写不同）。请重命名其中一个。',
  'share.item': '{file}：{detail}',
  'share.busy': '另一个进程正在分享相同的文件。请等它完成，或先结束它。',
  'state.no_folder':
    '无法在 {folder} 保存传输进度：{blocker} 不是文件夹。请把它移走，或用 XDG_STATE_HOME 指定其他位置。',
  'state.no_file':
    '无法在 {folder} 保存传输进度：{file} 已存在且不是普通文件。请把它移走，或用 XDG_STATE_HOME 指定其他位置。',
  'state.not_permitted':
    '无法在 {folder} 保存传输进度：没有写入权限。请取得权限，或用 XDG_STATE_HOME 指定其他位置。',
  'state.read_only': '无法在 {folder} 保存传输进度：磁盘是只读的。请用 XDG_STATE_HOME 指定其他位置。',
  'state.disk_full': '无法在 {folder} 保存传输进度：磁盘已满。请腾出空间，或用 XDG_STATE_HOME 指定其他位置。',
  'state.unusable': '无法在 {folder} 保存传输进度：{detail}。可以用 XDG_STATE_HOME 指定其他位置。',
  'text.empty': '没有可分享的文本。',
  'text.not_utf8': '这不是 UTF-8 文本，请作为文件分享。',
  'net.unreachable': '无法连接 {host}：{detail}。',
  'net.forbidden_port': '无法连接 {host}：此端口不用于网页，请检查端口是否正确。',
  'net.no_tls': '{host} 的此端口不使用 https。如果端口正确，请试 http://{host}。',
  'net.silent': '{host} 没有响应：{seconds} 秒内没有任何数据传输。',
  'net.timeout': '无法连接 {host}：一个分片未能及时传完。',
  'net.storage': '从这里无法连接存储 {host}：{detail}。加上 --whole 则全部经由服务器上传。',
  'net.broken_upload': '{file} 的上传中断：{detail} 再执行一次相同的命令即可续传。',
  'net.broken_share': '{file} 的上传中断，尚未发布：{detail} 再执行一次相同的命令即可续传。',
  'net.broken_download': '下载中断，已完成 {done}，共 {total}。再执行一次相同的命令即可续传。',
  'net.bad_answer': '{host} 不像是 Dropleaf 服务器（HTTP {status}）。',
  'net.storage_refused': '存储拒绝了一个分片（HTTP {status}）。',
  'get.password': '该分享有密码，请用 --ask-password 或 DROPLEAF_PASSWORD 提供。',
  'get.pin': '该分享有 PIN 码，请用 --pin 或 DROPLEAF_PIN 提供。',
  'get.busy': '进程 {pid} 正在下载 {file}。请等它完成，或先结束它。',
  'get.busy_just_now': '另一个进程刚开始下载 {file}。请过几秒再试。',
  'get.bad_path': '服务器给出了不可接受的路径，合集没有保存：{path}',
  'get.no_real_folder': '{file} 已存在且不是文件夹（不跟随链接）。请把它移走，或用 -o 指定其他文件夹。',
  'get.no_item': '合集中没有 {name}。',
  'get.item_gone': '已不可用：{name}',
  'get.incomplete': '其余内容已保存；不可用的有 {count} 项。',
  'get.wrong_size': '共 {total}，只收到 {done}。',
  'seal.no_key': '该分享已端到端加密，缺少密钥。请使用带有 # 后面部分的完整链接，或设置 DROPLEAF_SHARE_KEY。',
  'seal.key_length': '# 后面的密钥应有 43 个字符。请复制完整的链接。',
  'seal.key_characters': '# 后面的密钥中有错误的字符。请复制完整的链接。',
  'seal.required': '该服务器只接受端到端加密的分享，请加上 --seal。',
  'seal.wrong_key': '# 后面的密钥不正确。',
  'seal.wrong_password': '密码或 # 后面的密钥不正确。',
  'seal.not_sealed':
    '提供了密钥，但服务器说该分享没有加密，因此没有打开。如果确实没有加密，请去掉 # 后面的部分和 DROPLEAF_SHARE_KEY。',
  'seal.version': '该分享由更新的版本加密，请更新 dropleaf。',
  'seal.invalid': '加密合集的格式不正确，没有打开。',
  'seal.kdf': '验证该分享的密码所需的计算量过大，没有打开。',
  'seal.tampered': '{file} 存储的数据与加密时不同，没有保存任何内容。请让发送者重新分享。',
  'seal.too_large': '{file} 过大，无法加密。',
  'seal.too_many_attempts': '{file} 的一个分片发送次数过多，请再执行一次相同的命令。',
  'seal.unsized': '{file} 的大小未知，无法加密。请先复制一份。',
  'seal.title': '标题超过 {count} 个字符，请缩短。',
  'seal.text': '文本超过 {size}，请作为文件分享。',
  'seal.state': '保存的传输进度已损坏，请再执行一次相同的命令。',
  'seal.copy_wrong_key': '# 后面的密钥不正确，或副本已被修改。',
  'seal.copy_wrong_password': '密码或 # 后面的密钥不正确，或副本已被修改。',
  'seal.no_copy': '{file} 不是 Dropleaf 分享的加密副本。',
  'seal.copy_incomplete': '加密副本不完整：{file} 缺失或大小不符。',
  'share.not_found': '没有名为 {name} 的分享。',
  'ask.server': '服务器地址：',
  'ask.key': 'API 密钥（不显示）：',
  'ask.password': '密码（不显示）：',
  'ask.share_key': '# 后面的密钥（不显示）：',
  'ask.pin': 'PIN 码（不显示）：',
  'login.done': '已保存到 {file}。密钥名称：“{name}”。',
  'logout.done': '已清除。',
  'delete.done': '已删除：{name}',
  'list.empty': '没有分享。',
  'upload.resumed': '{file}：从 {done} 继续，共 {total}',
}
