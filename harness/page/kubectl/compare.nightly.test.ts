import { compareRows } from './compare.fixture.ts';
import { all } from './rows.fixture.ts';

compareRows(all);
