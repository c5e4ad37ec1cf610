import { describe, expect, test } from 'vitest';
import { machineAlone, sandboxConfig } from '../machine.fixture.ts';
import { forever } from './pause.ts';
import type { Program } from './program.ts';
import { decodeQuestion, encodeDns } from './resolver/messages.ts';

/** Creates a name server for these names. */
const nameServer =
  (known: Readonly<Record<string, string>>): Program =>
  async ({ listenUdp }) => {
    listenUdp(53, ({ payload }) => {
      const question = decodeQuestion(payload);
      if (!question) return undefined;
      const address = known[question.name];
      return encodeDns({
        question,
        rcode: address === undefined ? 'NXDOMAIN' : 'NOERROR',
        authoritative: true,
        answer:
          address !== undefined && question.type === 'A'
            ? [{ name: question.name, ttl: 30, type: 'A', address }]
            : [],
        authority: [],
        additional: [],
      });
    });
    return forever();
  };

/** A name server that never answers. */
const silentServer: Program = async ({ listenUdp }) => {
  listenUdp(53, () => undefined);
  return forever();
};

/** A machine with a web server, a name server that resolves `web.shop.` to it, and a client. */
async function machineWithNames() {
  const known: Record<string, string> = { 'gone.shop.': '10.244.1.250' };
  const alone = machineAlone({
    programs: { 'redis-server': nameServer(known), 'httpd-foreground': silentServer },
    preloaded: ['nginx:1.29', 'busybox:1.37', 'redis:8', 'httpd:2.4', 'curlimages/curl:8.14.1'],
  });
  const web = await alone.run('nginx:1.29', {}, sandboxConfig('web'));
  known['web.shop.'] = web.ip;
  const names = await alone.run('redis:8', {}, sandboxConfig('names'));
  const silent = await alone.run('httpd:2.4', {}, sandboxConfig('silent'));
  /** Runs a script in a pod. Returns its log, its exit code, and how long it took. */
  const run = async (script: string, { servers = [names.ip], image = 'nginx:1.29' } = {}) => {
    const dns = { servers, searches: ['shop', 'example'], options: ['ndots:5'] };
    const sandbox = sandboxConfig(`client-${alone.sim.elapsedMs}`, { dns });
    const { id } = await alone.run(image, { command: ['sh', '-c', script] }, sandbox);
    await alone.sim.run({ forMs: 300_000 });
    const { exitCode, startedAtMs, finishedAtMs } = await alone.status(id);
    const log = (await alone.log(id)).map((line) => line.split(' ').slice(2).join(' '));
    return { exitCode, log, seconds: Math.round((finishedAtMs - startedAtMs) / 1_000) };
  };
  return { ...alone, web, names, silent, run };
}

describe('curl', () => {
  test('resolves the short name of a server', async () => {
    const { run, web } = await machineWithNames();
    const script = "curl -s -o /dev/null -w '%{http_code} from %{remote_ip}:%{remote_port}\\n' http://web/";
    expect(await run(script)).toMatchObject({ exitCode: 0, log: [`200 from ${web.ip}:80`], seconds: 0 });
  });

  test('shows each step with -v', async () => {
    const { run, web } = await machineWithNames();
    const { log } = await run('curl -sv -o /dev/null http://web/');
    expect(log).toEqual([
      '* Host web:80 was resolved.',
      '* IPv6: (none)',
      `* IPv4: ${web.ip}`,
      `*   Trying ${web.ip}:80...`,
      `* Connected to web (${web.ip}) port 80`,
      '> GET / HTTP/1.1',
      '> Host: web',
      '> User-Agent: curl/8.14.1',
      '> Accept: */*',
      '> ',
      '* Request completely sent off',
      '< HTTP/1.1 200 OK',
      '< Server: nginx',
      '< Content-Type: text/html',
      '< ',
      '* Connection #0 to host web left intact',
    ]);
  });

  test('sends data, by default with POST', async () => {
    const { run } = await machineWithNames();
    const status = "-s -o /dev/null -w '%{http_code}\\n' http://web/none";
    const script = `curl ${status}; curl -d a=b ${status}; curl -X PUT --data a=b ${status}`;
    // The web server rejects uploads to files that exist only for PUT and POST.
    expect((await run(script)).log).toEqual(['404', '404', '405']);
    expect((await run('curl -kv -d a=b -d é http://web/')).log).toEqual(
      expect.arrayContaining(['> POST / HTTP/1.1', '> Content-Length: 6']),
    );
  });

  test.each([
    ['curl http://none/', 6, 'curl: (6) Could not resolve host: none', 0],
    [
      'curl http://web:81/',
      7,
      'curl: (7) Failed to connect to web port 81 after 0 ms: Could not connect to server',
      0,
    ],
    ['curl -m 2 http://gone/', 28, 'curl: (28) Connection timed out after 2000 milliseconds', 2],
    [
      'curl --connect-timeout 1.5 http://gone/',
      28,
      'curl: (28) Connection timed out after 1500 milliseconds',
      2,
    ],
    ['curl -fsS http://web/none', 22, 'curl: (22) The requested URL returned error: 404', 0],
    ['curl -sS --nonsense', 2, 'curl: option --nonsense: is unknown', 0],
    ['curl -s http://none/', 6, undefined, 0],
  ])('reports the error of: %s', async (script, exitCode, message, seconds) => {
    const { run } = await machineWithNames();
    const { log, ...ended } = await run(script);
    expect(ended).toEqual({ exitCode, seconds });
    expect(log[0]).toBe(message);
  });

  test('times out while it resolves a name', async () => {
    const { run, silent } = await machineWithNames();
    expect(await run('curl -m 3 http://web/', { servers: [silent.ip] })).toMatchObject({
      exitCode: 28,
      log: ['curl: (28) Resolving timed out after 3000 milliseconds'],
      seconds: 3,
    });
  });

  test('is the command of the curl image', async () => {
    const { begin, sim, status, web } = await machineWithNames();
    const { id } = await sim.settle(
      begin(
        'curlimages/curl:8.14.1',
        { args: ['-s', '-o', '/dev/null', `http://${web.ip}/`] },
        sandboxConfig('curl'),
      ),
    );
    await sim.run({ forMs: 1_000 });
    expect(await status(id)).toMatchObject({ exitCode: 0 });
  });
});

describe('A name', () => {
  test('fails to resolve after ten seconds if no name server answers', async () => {
    const { run, silent } = await machineWithNames();
    expect(await run('wget -q http://web/', { servers: [silent.ip], image: 'busybox:1.37' })).toEqual({
      exitCode: 1,
      log: ["wget: bad address 'web'"],
      seconds: 10,
    });
  });

  test('is resolved by the second name server after five seconds if the first does not answer', async () => {
    const { run, names, silent } = await machineWithNames();
    const script = 'wget -qO- http://web/';
    const { exitCode, seconds } = await run(script, {
      servers: [silent.ip, names.ip],
      image: 'busybox:1.37',
    });
    expect([exitCode, seconds]).toEqual([0, 5]);
  });

  test('is resolved from the hosts file before any name server', async () => {
    const { run } = await machineWithNames();
    const script = 'echo 10.244.1.250 web >> /etc/hosts; curl -m 1 http://web/';
    expect(await run(script)).toMatchObject({ exitCode: 28 });
  });
});

describe('nslookup', () => {
  test('queries a name without a dot in each domain, and a name with a dot as it is', async () => {
    const { run, names, web } = await machineWithNames();
    const of = async (name: string) => (await run(`nslookup -type=A ${name}`, { image: 'busybox:1.37' })).log;
    expect(await of('web')).toEqual([
      `Server:\t\t${names.ip}`,
      `Address:\t${names.ip}:53`,
      '',
      'Name:\tweb.shop',
      `Address: ${web.ip}`,
      '',
      "** server can't find web.example: NXDOMAIN",
      '',
    ]);
    expect(await of('web.shop')).toContain(`Address: ${web.ip}`);
    expect(await of('a.web')).toContain("** server can't find a.web: NXDOMAIN");
  });

  test('reports an error if nothing listens on the port', async () => {
    const { run, web } = await machineWithNames();
    const { log } = await run('nslookup web', { servers: [web.ip], image: 'busybox:1.37' });
    expect(new Set(log)).toEqual(
      new Set([
        'nslookup: read: Connection refused',
        ';; connection timed out; no servers could be reached',
        '',
      ]),
    );
  });

  test('reports that no server answers', async () => {
    const { run, silent } = await machineWithNames();
    expect(await run('nslookup web', { servers: [silent.ip], image: 'busybox:1.37' })).toEqual({
      exitCode: 1,
      log: [';; connection timed out; no servers could be reached', ''],
      seconds: 5,
    });
  });
});
