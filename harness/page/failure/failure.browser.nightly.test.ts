import { afterAll, expect, test } from 'vitest';
import { failuresOf } from '../../vitest/replay.fixture.ts';
import { listKatas } from '../../workbook/katas.ts';
import { root } from '../../workbook/sources.ts';
import { describeInBrowser } from '../browser.fixture.ts';
import { startDevServer } from '../dev-server.fixture.ts';
import { MistakenWorkbook } from './mistaken-workbook.fixture.ts';

/** The first recorded failure of each kata. */
const failures = (
  await Promise.all(listKatas(root).map(async ({ id }) => ({ id, failure: (await failuresOf(id))[0] })))
).flatMap(({ id, failure }) => (failure ? [{ id, failure }] : []));

const workbook = new MistakenWorkbook(failures.map(({ failure }) => failure));
afterAll(() => workbook[Symbol.dispose]());

describeInBrowser(
  'A failing law',
  () => startDevServer(workbook.root),
  ({ open }) => {
    test('stands for every kata', () => {
      expect(failures.map(({ id }) => id)).toEqual(listKatas(root).map(({ id }) => id));
    });

    test.each(failures.map(({ id, failure }) => [id, failure.kill.test] as const))(
      'of %s is drawn beside the reference',
      async (id, law) => {
        const page = await open(`#failure=${id.slice(0, 2)}`);
        await page.getByRole('heading', { name: 'A failing law' }).waitFor();
        // The law's sentence, without the groups before it.
        await page
          .getByText((law.split(' > ').at(-1) ?? '').split(':')[0] as string)
          .first()
          .waitFor();
        await page.getByText('Violated').first().waitFor();
        for (const run of ['Your code', 'The reference']) await page.getByText(run).first().waitFor();
      },
    );
  },
);
