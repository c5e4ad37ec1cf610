import type { DnsMessage, DnsQuestion, DnsRecord, DnsType } from '../../contracts/index.ts';
import { NetworkError } from '../../contracts/node/index.ts';
import { errnoWords } from './errno-words.ts';
import type { Process, Program } from './program.ts';
import type { Exchange } from './resolver/ask-servers.ts';
import { fullyQualified } from './resolver/messages.ts';
import { parseResolverConfiguration } from './resolver/resolv-conf.ts';
import { exchangeOf, isAddress, read } from './resolver/resolve.ts';

/** Upstream: vda-linux/busybox_mirror@1_37_0 networking/nslookup.c INIT_G */
const TIMEOUT_MS = 5_000;
const TRIES = 2;

/**
 * `nslookup [-type=TYPE] NAME [SERVER]` shows the answers of name servers about a name. It queries a name with a dot as
 * it is. It queries a name without a dot in all search domains at once, and ignores `ndots`.
 *
 * Upstream: vda-linux/busybox_mirror@1_37_0 networking/nslookup.c nslookup_main
 */
export const nslookup: Program = async (process) => {
  const words = process.argv.slice(1);
  const [name, server] = words.filter((word) => !word.startsWith('-'));
  if (name === undefined) {
    process.stderr(
      'BusyBox v1.37.0 multi-call binary.\n\nUsage: nslookup [-type=QUERY_TYPE] HOST [DNS_SERVER]\n',
    );
    return 1;
  }
  const types = words.flatMap((word) => /^-(?:type|querytype)=(.+)$/.exec(word)?.[1]?.toUpperCase() ?? []);
  const { servers, searches } = parseResolverConfiguration(await read(process, '/etc/resolv.conf', ''));
  const questions = questionsOf(name, types as DnsType[], searches);
  const exchange = exchangeOf(process);
  for (const each of server === undefined ? servers : [server]) {
    const answers = await askAll(questions, each, { exchange, process });
    if (answers.some((answer) => answer !== undefined)) return show(process, each, questions, answers);
  }
  process.stdout(';; connection timed out; no servers could be reached\n\n');
  return 1;
};

/** Returns all questions. Without a type, it asks for the name of an address, or for the addresses of a name. */
function questionsOf(
  name: string,
  types: readonly DnsType[],
  searches: readonly string[],
): readonly DnsQuestion[] {
  if (types.length === 0 && isAddress(name)) return [{ name: reverseName(name), type: 'PTR' }];
  const names = name.includes('.') ? [name] : searches.map((domain) => `${name}.${domain}`);
  return (types.length > 0 ? types : (['A', 'AAAA'] as const)).flatMap((type) =>
    (names.length > 0 ? names : [name]).map((each) => ({ name: fullyQualified(each), type })),
  );
}

/**
 * Returns the reverse name of an address: `2.1.244.10.in-addr.arpa.` for `10.244.1.2`. Differs: IPv6 addresses are not
 * supported.
 */
function reverseName(address: string): string {
  return `${address.split('.').reverse().join('.')}.in-addr.arpa.`;
}

/** Sends all questions to one server at once, and repeats a question without an answer after half of the timeout. */
function askAll(
  questions: readonly DnsQuestion[],
  server: string,
  { exchange, process }: { readonly exchange: Exchange; readonly process: Process },
): Promise<readonly (DnsMessage | undefined)[]> {
  const ask = async (question: DnsQuestion): Promise<DnsMessage | undefined> => {
    let failed: DnsMessage | undefined;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      try {
        const answer = await exchange(question, server, TIMEOUT_MS / TRIES);
        if (answer.rcode !== 'SERVFAIL') return answer;
        failed = answer;
      } catch (error) {
        if (!(error instanceof NetworkError)) throw error;
        if (error.code === 'ETIMEDOUT') continue;
        // A refused question is sent again, too.
        process.stderr(`nslookup: read: ${errnoWords[error.code]}\n`);
        await process.clock.sleep(TIMEOUT_MS / TRIES);
      }
    }
    return failed;
  };
  return Promise.all(questions.map(ask));
}

function show(
  { stdout }: Process,
  server: string,
  questions: readonly DnsQuestion[],
  answers: readonly (DnsMessage | undefined)[],
): number {
  stdout(`Server:\t\t${server}\nAddress:\t${server}:53\n\n`);
  let code = 0;
  for (const answer of answers) {
    if (!answer) continue;
    const name = answer.question.name.replace(/\.$/, '');
    if (answer.rcode === 'NOERROR') {
      if (!answer.authoritative) stdout('Non-authoritative answer:\n');
      stdout(answer.answer.map((record) => `${sayRecord(record)}\n`).join(''));
    } else {
      stdout(`** server can't find ${name}: ${answer.rcode}\n`);
      code = 1;
    }
    stdout('\n');
  }
  const silent = questions.filter((_, at) => answers[at] === undefined);
  for (const { name } of silent) stdout(`*** Can't find ${name.replace(/\.$/, '')}: No answer\n`);
  if (silent.length > 0) stdout('\n');
  return code;
}

function sayRecord(record: DnsRecord): string {
  const name = record.name.replace(/\.$/, '');
  switch (record.type) {
    case 'A':
    case 'AAAA':
      return `Name:\t${name}\nAddress: ${record.address}`;
    case 'CNAME':
      return `${name}\tcanonical name = ${record.target.replace(/\.$/, '')}`;
    case 'PTR':
      return `${name}\tname = ${record.target.replace(/\.$/, '')}`;
    case 'SRV': {
      const { priority, weight, port, target } = record;
      return `${name}\tservice = ${priority} ${weight} ${port} ${target.replace(/\.$/, '')}`;
    }
    case 'TXT':
      return `${name}\ttext = "${record.text}"`;
    case 'SOA': {
      const { mname, rname, serial, refresh, retry, expire, minimum } = record;
      const numbers = Object.entries({ serial, refresh, retry, expire, minimum });
      return [
        name,
        `\torigin = ${mname.replace(/\.$/, '')}`,
        `\tmail addr = ${rname.replace(/\.$/, '')}`,
        ...numbers.map(([key, value]) => `\t${key} = ${value}`),
      ].join('\n');
    }
  }
}
