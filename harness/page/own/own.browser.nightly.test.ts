import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { CoreWorkbook } from '../../cli/core-workbook.fixture.ts';
import { describeInBrowser } from '../browser.fixture.ts';
import { startDevServer } from '../dev-server.fixture.ts';

const workbook = new CoreWorkbook(['24-deployment']);
afterAll(() => workbook[Symbol.dispose]());
const STUB = 'katas/24-deployment/deployment.ts';
const file = path.join(workbook.root, STUB);
const right = readFileSync(file, 'utf8');
const SIGNATURE = /^export async function syncDeployment\(.*\{$/m;

describeInBrowser(
  'Your parts',
  () => startDevServer(workbook.root),
  ({ open }) => {
    test('run in the cluster, are replaced when their file is saved, and show where they throw', async () => {
      const page = await open();
      const controller = (owner: string) =>
        page.getByRole('button', { name: new RegExp(`^deployment-controller, ${owner}, `) });
      await controller('reference').waitFor();
      await page.getByRole('button', { name: 'Your parts', exact: true }).click();
      const row = page.getByRole('row', { name: /24-deployment/ });
      await row.getByText('written').or(row.getByText('not written yet')).first().waitFor();
      await row.getByRole('radio', { name: 'yours' }).check();
      await controller('your code').waitFor();

      writeFileSync(file, right.replace(SIGNATURE, "$& throw new TypeError('a slip');"));
      await page.getByText(`${STUB} is saved: the cluster runs the new version.`).waitFor();
      await page.getByRole('button', { name: /^Apply web.yaml/ }).click();
      await page.getByRole('button', { name: /^deployment-controller, your code, .*a slip/ }).click();
      const line = right.split('\n').findIndex((text) => SIGNATURE.test(text)) + 1;
      await page.getByText(new RegExp(`${STUB}:${line}:\\d+`)).waitFor();

      writeFileSync(file, 'export const deploymentController = (;\n');
      await page.getByText(`${STUB} cannot be loaded`).first().waitFor();

      writeFileSync(file, right);
      await page.getByRole('button', { name: 'Deployment default/web, 3 of 3 ready, complete' }).waitFor();
      expect(await controller('your code').count()).toBe(1);
      await row.getByRole('radio', { name: 'reference' }).check();
      await controller('reference').waitFor();
    });
  },
);
