import { coreutils } from './coreutils.ts';
import { curl } from './curl/curl.ts';
import { curlEntrypoint } from './curl/entrypoint.ts';
import { dockerEntrypoint } from './docker-entrypoint.ts';
import { hello } from './hello.ts';
import { busyboxHttpd, httpdForeground } from './httpd.ts';
import { nc, wget } from './network-tools.ts';
import { nginx } from './nginx.ts';
import { nslookup } from './nslookup.ts';
import { pause } from './pause.ts';
import type { Programs } from './program.ts';
import { redisCli, redisServer } from './redis.ts';
import { sh } from './shell/shell.ts';
import { stress } from './stress.ts';

/** What every machine can run if an image has it, by the name of the executable. */
export const standardPrograms: Programs = {
  ...coreutils,
  bash: sh,
  curl,
  'docker-entrypoint.sh': dockerEntrypoint,
  'entrypoint.sh': curlEntrypoint,
  hello,
  httpd: busyboxHttpd,
  'httpd-foreground': httpdForeground,
  nc,
  nginx,
  nslookup,
  pause,
  'redis-cli': redisCli,
  'redis-server': redisServer,
  sh,
  stress,
  wget,
};
