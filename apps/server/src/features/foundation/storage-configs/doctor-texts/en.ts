import type { DoctorTexts } from './index.ts'

const CORS_STEPS = [
  'Open {cors}.',
  'Put this rule in front of the others and save: {cors_rule}',
  'Wait a minute and run the test again.',
]

export const en: DoctorTexts = {
  repair: 'Let the test write the rule for you: run it again and choose to repair. Other rules are kept.',
  words: {
    ahead: 'ahead of',
    behind: 'behind',
    path: 'in the path (path style on)',
    virtual: 'in the host name (path style off)',
  },
  findings: {
    access_key_unknown: {
      message: 'The storage does not know this access key id ({reason}).',
      steps: [
        'Open {keys} and compare the access key id; it may have been deleted or switched off.',
        'Copy the id again, without spaces, or create a new key and enter both of its parts here.',
      ],
    },
    secret_wrong: {
      message: 'The secret access key does not belong to this access key id ({reason}).',
      steps: [
        'The secret is shown once, when a key is created: if it is lost, open {keys} and create a new key.',
        'Enter the new access key id and its secret together.',
      ],
    },
    bucket_missing: {
      message: 'There is no bucket named {bucket} at this endpoint.',
      steps: [
        'Open {buckets} and compare the name, capital letters included.',
        'Check that the endpoint is that of the account and region of the bucket, of the form {endpoint}.',
      ],
    },
    region_wrong: {
      message: 'The bucket lies in another region: the storage expects {region}.',
      steps: [
        'Enter {region} as the region.',
        'Compare with {regions}; the endpoint must name the same one, of the form {endpoint}.',
      ],
    },
    clock_skew: {
      message: 'The clock of this server is {minutes} minutes {direction} that of the storage.',
      steps: [
        'Set the clock of the server by the network: on Linux "timedatectl set-ntp true", then "timedatectl" shows whether it is synchronised.',
        'In a virtual machine or a container, set the clock of the host.',
        'Run the test again: signatures are refused from 15 minutes of difference on.',
      ],
    },
    dns_failed: {
      message: 'No address is found for the host {host} ({reason}).',
      steps: [
        'Check the endpoint for typing errors; it has the form {endpoint}.',
        'Check that this server can resolve names: "nslookup {host}".',
      ],
    },
    tls_failed: {
      message: 'No secure connection to {host} can be made ({reason}).',
      steps: [
        'If the storage speaks plain http, begin the endpoint with http:// instead of https://.',
        'If its certificate is self-signed, install one of a known authority, or make this server trust it with NODE_EXTRA_CA_CERTS.',
        'Check that the certificate names the host {host} and has not expired.',
      ],
    },
    timeout: {
      message: 'The storage at {host} does not answer in time.',
      steps: [
        'Check the host and the port of the endpoint, of the form {endpoint}.',
        'Check that a firewall lets this server out to it.',
        'Look at the status page of the provider and try again.',
      ],
    },
    unreachable: {
      message: 'No connection to {host} can be made ({reason}).',
      steps: [
        'Check the host and the port of the endpoint, of the form {endpoint}.',
        'Check that the storage runs, and that a firewall lets this server reach it.',
      ],
    },
    style_wrong: {
      message: 'The storage wants the bucket {style}.',
      steps: ['Change the setting "path style" of this storage and run the test again.'],
    },
    not_s3: {
      message: 'What answers at {host} is no S3 storage.',
      steps: [
        'Enter the address of the S3 interface, not that of a web page or console, of the form {endpoint}.',
        'Check the port: consoles often listen on another one than the S3 interface.',
      ],
    },
    bucket_in_endpoint: {
      message: 'The endpoint already names the bucket, which is named once more behind it.',
      steps: ['Enter {endpoint} as the endpoint, and the bucket only in its own field.'],
    },
    access_denied: {
      message: 'This key may neither list nor write in the bucket ({reason}).',
      steps: [
        'Open {rights} and allow the key to list the bucket and to read, write and delete its objects.',
        'Check that the key is not limited to another bucket, folder or address.',
      ],
    },
    list_denied: {
      message: 'This key may write, but not list the bucket ({reason}).',
      steps: [
        'Open {rights} and allow the key to list the bucket (s3:ListBucket); folders stay empty without it.',
      ],
    },
    read_only: {
      message: 'This key may read, but not write ({reason}).',
      steps: [
        'Open {rights} and allow the key to write objects (s3:PutObject) and to delete them (s3:DeleteObject).',
        'Look for a policy of the bucket that forbids it.',
      ],
    },
    delete_denied: {
      message: 'This key may write, but not delete ({reason}).',
      steps: [
        'Open {rights} and allow the key to delete objects (s3:DeleteObject).',
        'Delete the test file by hand if it is in the way.',
      ],
    },
    storage_full: {
      message: 'The storage takes no more bytes: a quota or a spending cap is reached ({reason}).',
      steps: ['Open {buckets}, and raise the quota or the cap, or delete what is not needed.'],
    },
    storage_failing: {
      message: 'The storage answers with an error of its own ({reason}).',
      steps: ['Look at the status page of the provider and try again in some minutes.'],
    },
    cors_missing: {
      message: 'The bucket does not let pages of {origin} use it, so uploads from a browser fail.',
      steps: CORS_STEPS,
    },
    cors_no_put: {
      message: 'The CORS rules of the bucket let pages of {origin} download, but not upload.',
      steps: ['Open {cors} and add PUT to the allowed methods.', ...CORS_STEPS.slice(1)],
    },
    cors_headers: {
      message: 'The CORS rules of the bucket do not allow the headers that an upload sends.',
      steps: ['Open {cors} and allow all headers (*).', ...CORS_STEPS.slice(1)],
    },
    cors_no_etag: {
      message:
        'The CORS rules of the bucket do not expose ETag, so large uploads from a browser cannot be completed.',
      steps: ['Open {cors} and add ETag to the exposed headers.', ...CORS_STEPS.slice(1)],
    },
    mixed_content: {
      message: 'Browsers do not let a page of {origin} speak to an endpoint without https.',
      steps: ['Give the storage a certificate and begin the endpoint with https://.'],
    },
    signed_upload_failed: {
      message: 'The server may write, but an upload to a signed address is refused ({reason}).',
      steps: [
        'If a proxy stands in front of the storage, have it pass on the Host header as it is.',
        'Look for a policy of the bucket that asks for certain headers or addresses.',
      ],
    },
    uploads_never_aborted: {
      message: 'Parts of uploads that were never completed stay in the bucket and cost money.',
      steps: [
        'Open {lifecycle} and add a rule for the whole bucket: abort incomplete multipart uploads after 1 day.',
      ],
    },
    unknown: {
      message: 'The storage refuses with an answer that is not known here ({reason} {status}).',
      steps: [
        'Compare the endpoint, the region and the bucket with what the provider shows, of the form {endpoint}.',
        'Look up the word in the documentation of the provider.',
      ],
    },
    credentials_unreadable: {
      message: 'The stored access key cannot be decrypted: the secret of this server has changed.',
      steps: [
        'Enter the access key id and the secret access key again.',
        'Or start the server with the ENCRYPTION_SECRET that it had before.',
      ],
    },
    endpoint_invalid: {
      message: 'The endpoint is no web address.',
      steps: ['Enter the endpoint in the form {endpoint}.'],
    },
    disk_missing: {
      message: 'The folder of this storage is missing, or its disk is not mounted.',
      steps: ['Check that the disk of the data folder is mounted, then restart the server.'],
    },
    disk_denied: {
      message: 'The server may not write into the folder of this storage.',
      steps: ['Give the user that runs the server the right to write below the data folder.'],
    },
    disk_full: {
      message: 'The disk is full.',
      steps: ['Delete what is not needed, or move the data folder to a larger disk.'],
    },
    disk_low: {
      message: 'The disk has only {free} left.',
      steps: ['Delete what is not needed, or move the data folder to a larger disk.'],
    },
    disk_failing: {
      message: 'The disk fails ({reason}).',
      steps: ['Look at the log of the server and of the system for errors of the disk.'],
    },
  },
  places: {
    'AWS S3': {
      keys: 'AWS console → IAM → Users → your user → Security credentials → Access keys',
      rights: 'AWS console → IAM → Users → your user → Permissions',
      buckets: 'AWS console → S3 → Buckets',
      cors: 'AWS console → S3 → your bucket → Permissions → Cross-origin resource sharing (CORS)',
      lifecycle: 'AWS console → S3 → your bucket → Management → Lifecycle rules',
      endpoint: 'https://s3.REGION.amazonaws.com',
      regions: 'AWS console → S3 → Buckets, column "AWS Region"',
    },
    'Cloudflare R2': {
      keys: 'Cloudflare dashboard → R2 → Manage API tokens',
      rights:
        'Cloudflare dashboard → R2 → Manage API tokens → your token ("Object Read & Write" for this bucket)',
      buckets: 'Cloudflare dashboard → R2 → Overview',
      cors: 'Cloudflare dashboard → R2 → your bucket → Settings → CORS policy',
      lifecycle: 'Cloudflare dashboard → R2 → your bucket → Settings → Object lifecycle rules',
      endpoint: 'https://ACCOUNT_ID.r2.cloudflarestorage.com',
      regions: 'the R2 documentation: the region is always "auto"',
    },
    'Backblaze B2': {
      keys: 'Backblaze → Application Keys',
      rights: 'Backblaze → Application Keys (a new key with "Read and Write" for this bucket)',
      buckets: 'Backblaze → Buckets',
      cors: 'Backblaze → Buckets → your bucket → CORS Rules (the b2 command line sets single headers)',
      lifecycle: 'Backblaze → Buckets → your bucket → Lifecycle Settings',
      endpoint: 'https://s3.REGION.backblazeb2.com',
      regions: 'Backblaze → Buckets → your bucket, line "Endpoint"',
    },
    'Aliyun OSS': {
      keys: 'Alibaba Cloud console → RAM → Users → your user → AccessKey',
      rights: 'Alibaba Cloud console → RAM → Users → your user → Permissions',
      buckets: 'OSS console → Buckets',
      cors: 'OSS console → your bucket → Content Security → CORS',
      lifecycle: 'OSS console → your bucket → Data Management → Lifecycle',
      endpoint: 'https://oss-REGION.aliyuncs.com',
      regions: 'OSS console → your bucket → Overview → Access Port',
    },
    Other: {
      keys: 'the page of your provider where access keys are made',
      rights: 'the page of your provider where rights of keys are set',
      buckets: 'the list of buckets of your provider',
      cors: 'the CORS settings of the bucket, or use "aws s3api put-bucket-cors --endpoint-url ENDPOINT"',
      lifecycle:
        'the lifecycle settings of the bucket, or use "aws s3api put-bucket-lifecycle-configuration --endpoint-url ENDPOINT"',
      endpoint: 'https://s3.example.com',
      regions: 'what your provider names as the region of the bucket',
    },
  },
  notes: {
    read_done: 'The bucket can be listed.',
    write_done: 'The server can write and delete.',
    write_skipped_b2: 'Left out for Backblaze B2: the upload below proves that it can be written.',
    cors_done: 'Pages may upload and download.',
    cors_own: 'The local disk is served by this server, which every page may use.',
    browser_done: 'An upload to a signed address works as in a browser.',
    browser_own:
      'Signed addresses of the local disk lead to this server; the bytes were written and read back.',
    not_tried: 'Fix the problems that were found, then test this step again.',
    step_sign: 'Sign an address',
    step_upload: 'Upload to it',
    step_verify: 'Look at the file and delete it',
    all_well: 'The storage works.',
    some_wrong: 'Something has to be fixed.',
  },
}
