import type { ExchangeReport, GatewayObserver } from '@hydra/gateway'
import { visibleJsonText, visibleText } from '@hydra/cli'
import { pino } from 'pino'
import { banner, routeLines } from '../serve/banner.ts'
import { cautionLines } from '../serve/caution-lines.ts'
import type { Settings } from '../settings/read-settings.ts'
import { boundedValue } from './bounded-value.ts'
import { prettyLine } from './pretty-line.ts'
import { type Progress, progressObserver } from './progress.ts'
import { progressLine } from './progress-line.ts'
import { refusedKeys } from './refused-keys.ts'
import { traceLines } from './trace-lines.ts'
import { UsualNotes } from './usual-notes.ts'

/** Says what happens. */
export interface Log {
  started(url: string): void
  exchange(this: void, report: ExchangeReport): void
  /** Hears of exchanges that are not over yet, if lines are wanted of them. */
  readonly observer?: GatewayObserver | undefined
  draining(): void
  /** Something has happened that is as it should be. */
  info(this: void, message: string): void
  /** Something is wrong that does not stop the proxy. */
  problem(this: void, message: string): void
}

type Write = (text: string) => void

/** The log in the format that is wanted; it goes to standard output. */
export function createLog(settings: Settings, write: Write = writeOut): Log {
  const log = formatted(settings, write)
  return {
    ...log,
    exchange(report) {
      log.exchange(report)
      for (const words of refusedKeys(report)) log.problem(words)
    },
  }
}

function formatted(settings: Settings, write: Write): Log {
  switch (settings.log) {
    case 'json':
      return jsonLog(settings, write)
    case 'pretty':
      return prettyLog(settings, write)
    case 'silent':
      return {
        ...prettyLog(settings, write),
        exchange() {},
        observer: undefined,
        draining() {},
        info() {},
      }
  }
}

function writeOut(text: string): void {
  process.stdout.write(text)
}

function prettyLog(settings: Settings, write: Write): Log {
  const usual = new UsualNotes()
  return {
    started: (url) => write(banner(settings, url)),
    exchange: (report) =>
      write(`${prettyLine(report, new Date(), usual.take(report))}\n${traceLines(report, settings)}`),
    observer: progressObserver((progress) => write(`${progressLine(progress, new Date())}\n`)),
    draining: () => write('draining: streams may finish; a second signal ends at once\n'),
    info: (message) => write(`${visibleText(message)}\n`),
    problem: (message) => process.stderr.write(`hydra: ${visibleText(message)}\n`),
  }
}

/** Machines get one value per line from the first line on. */
function jsonLog(settings: Settings, write: Write): Log {
  // A terminal may show these lines too, and what is escaped is the same value to a machine.
  const stream = { write: (line: string): void => write(visibleJsonText(line)) }
  const logger = pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream)
  const { isDemo, host, workers, gateway, configFile } = settings
  return {
    started(url) {
      logger.info({ url, host, workers, demo: isDemo, configFile, routes: routeLines(gateway) }, 'listening')
      for (const caution of cautionLines(settings)) logger.warn(caution)
    },
    exchange(report) {
      const isWorthALook = report.outcome === 'failed' || report.loop !== undefined
      logger[isWorthALook ? 'warn' : 'info'](boundedValue(report), 'exchange')
    },
    observer: progressObserver((progress) =>
      logger.info(boundedValue(shownProgress(progress)), progress.event.kind),
    ),
    draining: () => logger.info('draining'),
    info: (message) => logger.info(message),
    problem: (message) => logger.error(message),
  }
}

function shownProgress({ event, ...rest }: Progress): object {
  if (event.kind === 'waiting') return { ...rest, milliseconds: event.milliseconds }
  const { kind, message } = event.failure.error
  const error = { kind, message }
  if (event.kind === 'retry') return { ...rest, pause: event.pause, error }
  return { ...rest, to: { upstream: event.to.upstream, model: event.to.model }, error }
}
