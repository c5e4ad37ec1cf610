import { agnhost } from './agnhost/agnhost.ts';
import { chroot } from './chroot.ts';
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
import type { Program, Programs } from './program.ts';
import { ps } from './ps.ts';
import { redisCli, redisServer } from './redis.ts';
import { sh } from './shell/shell.ts';
import { stress } from './stress.ts';

const programs: Programs = {
  ...coreutils,
  agnhost,
  bash: sh,
  chroot,
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
  ps,
  'redis-cli': redisCli,
  'redis-server': redisServer,
  sh,
  stress,
  wget,
};

/** The memory of a process and the CPU time of its start, unless its program sets other values. */
const PROCESS_MEMORY_BYTES = 1024 ** 2;
const START_CPU_MS = 5;

/**
 * The programs that every machine can run if an image contains them, by the name of the executable.
 *
 * Differs: a program declares its usage, which approximates that of the real program.
 */
export const standardPrograms: Programs = Object.fromEntries(
  Object.entries(programs).map(([name, program]) => [name, started(program)]),
);

function started(program: Program): Program {
  return (process) => {
    process.useMemory(PROCESS_MEMORY_BYTES);
    process.spendCpu(START_CPU_MS);
    return program(process);
  };
}
