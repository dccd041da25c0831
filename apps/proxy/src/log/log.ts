import type { ExchangeReport } from '@hydra/gateway'
import { pino } from 'pino'
import { banner, routeLines } from '../serve/banner.ts'
import { cautionLines } from '../serve/caution-lines.ts'
import type { Settings } from '../settings/read-settings.ts'
import { prettyLine } from './pretty-line.ts'
import { traceLines } from './trace-lines.ts'

/** Says what happens. */
export interface Log {
  started(url: string): void
  exchange(this: void, report: ExchangeReport): void
  draining(): void
  /** Something is wrong that does not stop the proxy. */
  problem(this: void, message: string): void
}

type Write = (text: string) => void

/** The log in the format that is wanted; it goes to standard output. */
export function createLog(settings: Settings, write: Write = writeOut): Log {
  switch (settings.log) {
    case 'json':
      return jsonLog(settings, write)
    case 'pretty':
      return prettyLog(settings, write)
    case 'silent':
      return { ...prettyLog(settings, write), exchange() {}, draining() {} }
  }
}

function writeOut(text: string): void {
  process.stdout.write(text)
}

function prettyLog(settings: Settings, write: Write): Log {
  return {
    started: (url) => write(banner(settings, url)),
    exchange: (report) => write(`${prettyLine(report, new Date())}\n${traceLines(report, settings)}`),
    draining: () => write('draining: streams may finish; a second signal ends at once\n'),
    problem: (message) => process.stderr.write(`hydra: ${message}\n`),
  }
}

/** Machines get one value per line from the first line on. */
function jsonLog(settings: Settings, write: Write): Log {
  const logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write })
  const { isDemo, host, workers, gateway, configFile } = settings
  return {
    started(url) {
      logger.info({ url, host, workers, demo: isDemo, configFile, routes: routeLines(gateway) }, 'listening')
      for (const caution of cautionLines(settings)) logger.warn(caution)
    },
    exchange(report) {
      if (report.outcome === 'failed' || report.loop !== undefined) logger.warn(report, 'exchange')
      else logger.info(report, 'exchange')
    },
    draining: () => logger.info('draining'),
    problem: (message) => logger.error(message),
  }
}
