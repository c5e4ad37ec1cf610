import { describe, expect, test } from 'vitest';
import { served } from './served.fixture.ts';

describe('/metrics', () => {
  const lines = async (send: Awaited<ReturnType<typeof served>>['send']): Promise<readonly string[]> =>
    (await (await send('GET', '/metrics')).text()).split('\n');

  test('counts requests by their labels and by the code of the answer', async () => {
    const { send } = await served();
    const pods = '/api/v1/namespaces/default/pods';
    for (const path of [pods, pods, `${pods}/nope`, '/version', '/nowhere']) await send('GET', path);
    await send('POST', `${pods}?dryRun=All`, {});
    const row = (rest: string) => expect.stringContaining(`apiserver_request_total{${rest}`);
    const counted = (await lines(send)).filter((line) => line.startsWith('apiserver_request_total'));
    expect(counted).toEqual([
      row(
        'code="200",component="apiserver",dry_run="",group="",resource="",scope="",subresource="/version",verb="GET",version=""} 1',
      ),
      row(
        'code="200",component="apiserver",dry_run="",group="",resource="pods",scope="namespace",subresource="",verb="LIST",version="v1"} 2',
      ),
      row('code="404",component="apiserver",dry_run="",group="",resource="",scope="",subresource="/nowhere"'),
      row('code="404",component="apiserver",dry_run="",group="",resource="pods",scope="resource"'),
      row('code="422",component="apiserver",dry_run="All",group="",resource="pods",scope="namespace"'),
    ]);
  });

  test('reports the release and the description of each metric', async () => {
    const { send } = await served();
    const text = (await lines(send)).join('\n');
    expect(text).toMatch(/^kubernetes_build_info\{git_version="v1\.36\.3",.*\} 1$/m);
    expect(text).toContain('# TYPE apiserver_request_total counter');
  });
});
