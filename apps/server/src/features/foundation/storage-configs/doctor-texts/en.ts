import type { DoctorTexts } from './index.ts'

const CORS_STEPS = [
  'Open {cors}.',
  'Add this rule before the others and save: {cors_rule}',
  'Wait a minute and run the test again.',
]

export const en: DoctorTexts = {
  repair: 'You can let the test add the rule: run it again and choose "Fix it". Other rules are kept.',
  words: {
    ahead: 'ahead of',
    behind: 'behind',
    path: 'in the path (path style on)',
    virtual: 'in the host name (path style off)',
  },
  findings: {
    access_key_unknown: {
      message: 'The storage does not know this access key ID ({reason}).',
      steps: [
        'Open {keys} and compare the access key ID; it may have been deleted or disabled.',
        'Copy the ID again, without spaces, or create a new key and enter both its ID and its secret here.',
      ],
    },
    secret_wrong: {
      message: 'The secret access key does not belong to this access key ID ({reason}).',
      steps: [
        'The secret is shown only once, when a key is created. If you no longer have it, open {keys} and create a new key.',
        'Enter both the new access key ID and its secret.',
      ],
    },
    bucket_missing: {
      message: 'There is no bucket named {bucket} at this endpoint.',
      steps: [
        'Open {buckets} and compare the name, including capital letters.',
        'Check that the endpoint belongs to the account and region of the bucket. It looks like {endpoint}.',
      ],
    },
    region_wrong: {
      message: 'The bucket is in another region: the storage expects {region}.',
      steps: [
        'Enter {region} as the region.',
        'Compare it with {regions}. The endpoint must contain the same region and looks like {endpoint}.',
      ],
    },
    clock_skew: {
      message: 'The clock of this server is {minutes} minutes {direction} that of the storage.',
      steps: [
        'Synchronize the clock of the server over the network. On Linux, run "timedatectl set-ntp true"; "timedatectl" then shows whether it is synchronized.',
        'In a virtual machine or a container, set the clock of the host.',
        'Run the test again. Signatures are rejected if the clocks differ by 15 minutes or more.',
      ],
    },
    dns_failed: {
      message: 'No IP address was found for the host {host} ({reason}).',
      steps: [
        'Check the endpoint for typos; it looks like {endpoint}.',
        'Check that this server can resolve host names: "nslookup {host}".',
      ],
    },
    tls_failed: {
      message: 'A secure connection to {host} could not be established ({reason}).',
      steps: [
        'If the storage uses plain http, start the endpoint with http:// instead of https://.',
        'If its certificate is self-signed, install one from a known authority, or make this server trust it with NODE_EXTRA_CA_CERTS.',
        'Check that the certificate is valid for the host {host} and has not expired.',
      ],
    },
    timeout: {
      message: 'The storage at {host} did not respond in time.',
      steps: [
        'Check the host and port of the endpoint, which looks like {endpoint}.',
        'Check that a firewall does not block connections from this server.',
        'Check the provider’s status page and try again.',
      ],
    },
    unreachable: {
      message: 'A connection to {host} could not be established ({reason}).',
      steps: [
        'Check the host and port of the endpoint, which looks like {endpoint}.',
        'Check that the storage is running, and that no firewall blocks this server.',
      ],
    },
    style_wrong: {
      message: 'The storage requires the bucket {style}.',
      steps: ['Change the setting "Use path-style URLs" of this storage and run the test again.'],
    },
    not_s3: {
      message: 'The server at {host} is not an S3 storage.',
      steps: [
        'Enter the address of the S3 API, not of a web page or console. It looks like {endpoint}.',
        'Check the port: consoles often use a different port from the S3 API.',
      ],
    },
    bucket_in_endpoint: {
      message: 'The endpoint already contains the bucket name, which is then added a second time.',
      steps: ['Enter {endpoint} as the endpoint, and the bucket only in its own field.'],
    },
    access_denied: {
      message: 'This key can neither list the bucket nor write to it ({reason}).',
      steps: [
        'Open {rights} and allow the key to list the bucket and to read, write, and delete its objects.',
        'Check that the key is not limited to another bucket, folder, or address.',
      ],
    },
    list_denied: {
      message: 'This key can write to the bucket, but not list it ({reason}).',
      steps: [
        'Open {rights} and allow the key to list the bucket (s3:ListBucket). Otherwise folders appear empty.',
      ],
    },
    read_only: {
      message: 'This key can read, but not write ({reason}).',
      steps: [
        'Open {rights} and allow the key to write objects (s3:PutObject) and to delete them (s3:DeleteObject).',
        'Look for a bucket policy that denies it.',
      ],
    },
    delete_denied: {
      message: 'This key can write, but not delete ({reason}).',
      steps: [
        'Open {rights} and allow the key to delete objects (s3:DeleteObject).',
        'Delete the test file manually if it is in the way.',
      ],
    },
    storage_full: {
      message: 'The storage accepts no more data: a quota or spending cap has been reached ({reason}).',
      steps: ['Open {buckets} and raise the quota or cap, or delete files you do not need.'],
    },
    storage_failing: {
      message: 'The storage reported an internal error ({reason}).',
      steps: ['Check the provider’s status page and try again in a few minutes.'],
    },
    cors_missing: {
      message: 'The bucket does not allow access from {origin}, so uploads from a browser fail.',
      steps: CORS_STEPS,
    },
    cors_no_put: {
      message: 'The CORS rules of the bucket allow downloads from {origin}, but not uploads.',
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
      message: 'Browsers do not let a page on {origin} connect to an endpoint without https.',
      steps: ['Set up a certificate for the storage and start the endpoint with https://.'],
    },
    signed_upload_failed: {
      message: 'The server can write, but an upload to a signed URL is rejected ({reason}).',
      steps: [
        'If there is a proxy in front of the storage, make it forward the Host header unchanged.',
        'Look for a bucket policy that requires certain headers or addresses.',
      ],
    },
    uploads_never_aborted: {
      message: 'Parts of uploads that were never completed stay in the bucket and cost money.',
      steps: [
        'Open {lifecycle} and add a rule for the whole bucket: abort incomplete multipart uploads after 1 day.',
      ],
    },
    unknown: {
      message: 'The storage rejected the request with an unknown error ({reason} {status}).',
      steps: [
        'Compare the endpoint, region, and bucket with those that the provider shows. The endpoint looks like {endpoint}.',
        'Look up the error in the provider’s documentation.',
      ],
    },
    credentials_unreadable: {
      message: 'The stored access key cannot be decrypted: the secret of this server has changed.',
      steps: [
        'Enter the access key ID and the secret access key again.',
        'Or start the server with its previous ENCRYPTION_SECRET.',
      ],
    },
    endpoint_invalid: {
      message: 'The endpoint is not a valid URL.',
      steps: ['Enter an endpoint like {endpoint}.'],
    },
    disk_missing: {
      message: 'The folder of this storage is missing, or its disk is not mounted.',
      steps: ['Check that the disk of the data folder is mounted, then restart the server.'],
    },
    disk_denied: {
      message: 'The server is not allowed to write to the folder of this storage.',
      steps: ['Give the user that runs the server write permission for the data folder.'],
    },
    disk_full: {
      message: 'The disk is full.',
      steps: ['Delete files you do not need, or move the data folder to a larger disk.'],
    },
    disk_low: {
      message: 'The disk has only {free} left.',
      steps: ['Delete files you do not need, or move the data folder to a larger disk.'],
    },
    disk_failing: {
      message: 'The disk reported an error ({reason}).',
      steps: ['Check the logs of the server and the system for disk errors.'],
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
      keys: 'your provider’s page for access keys',
      rights: 'your provider’s page for key permissions',
      buckets: 'your provider’s list of buckets',
      cors: 'the CORS settings of the bucket, or use "aws s3api put-bucket-cors --endpoint-url ENDPOINT"',
      lifecycle:
        'the lifecycle settings of the bucket, or use "aws s3api put-bucket-lifecycle-configuration --endpoint-url ENDPOINT"',
      endpoint: 'https://s3.example.com',
      regions: 'the region of the bucket that your provider shows',
    },
  },
  notes: {
    read_done: 'The bucket can be listed.',
    write_done: 'The server can write and delete.',
    write_skipped_b2: 'Skipped for Backblaze B2: the upload below shows whether the server can write.',
    cors_done: 'Pages can upload and download.',
    cors_own: 'The local disk is served by this server, which any page can use.',
    browser_done: 'An upload to a signed URL works as in a browser.',
    browser_own:
      'Signed URLs of the local disk lead to this server; the test data was written and read back.',
    not_tried: 'Fix the problems above, then test this step again.',
    step_sign: 'Sign a URL',
    step_upload: 'Upload to the URL',
    step_verify: 'Check the file and delete it',
    all_well: 'The storage works.',
    some_wrong: 'Something needs to be fixed.',
  },
}
