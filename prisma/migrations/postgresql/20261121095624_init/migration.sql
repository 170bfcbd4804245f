-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "task" (
    "task_id" TEXT NOT NULL,
    "contract" TEXT NOT NULL,
    "contract_digest" TEXT NOT NULL,
    "intent" TEXT NOT NULL,
    "target_signature" TEXT NOT NULL,
    "delegation_mode" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "outcome" TEXT,
    "waiting" TEXT,
    "sop_id" TEXT,
    "sop_version" INTEGER,
    "backend" TEXT NOT NULL,
    "owner" TEXT,
    "lease_expires_at" TEXT,
    "verification" TEXT,
    "created_at" TEXT NOT NULL,
    "updated_at" TEXT NOT NULL,
    "ended_at" TEXT,

    CONSTRAINT "task_pkey" PRIMARY KEY ("task_id")
);

-- CreateTable
CREATE TABLE "journal_event" (
    "cursor" SERIAL NOT NULL,
    "thread_id" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "message" BOOLEAN NOT NULL,
    "at" TEXT NOT NULL,
    "prev_hash" TEXT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "journal_event_pkey" PRIMARY KEY ("cursor")
);

-- CreateTable
CREATE TABLE "sop" (
    "sop_id" TEXT NOT NULL,
    "intent" TEXT NOT NULL,
    "target_signature" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "steps" TEXT NOT NULL,
    "criteria" TEXT NOT NULL,
    "safety_level" TEXT NOT NULL,
    "preconditions" TEXT NOT NULL,
    "steps_digest" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "last_success_at" TEXT,
    "success_count" INTEGER NOT NULL DEFAULT 0,
    "failure_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TEXT NOT NULL,
    "updated_at" TEXT NOT NULL,

    CONSTRAINT "sop_pkey" PRIMARY KEY ("sop_id")
);

-- CreateTable
CREATE TABLE "approval" (
    "approval_id" TEXT NOT NULL,
    "thread_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "interrupt_id" TEXT,
    "expires_at" TEXT NOT NULL,
    "decision" TEXT,
    "created_at" TEXT NOT NULL,
    "decided_at" TEXT,

    CONSTRAINT "approval_pkey" PRIMARY KEY ("approval_id")
);

-- CreateTable
CREATE TABLE "checkpoint" (
    "thread_id" TEXT NOT NULL,
    "ns" TEXT NOT NULL,
    "checkpoint_id" TEXT NOT NULL,
    "parent_id" TEXT,
    "body" TEXT NOT NULL,
    "metadata" TEXT NOT NULL,

    CONSTRAINT "checkpoint_pkey" PRIMARY KEY ("thread_id","ns","checkpoint_id")
);

-- CreateTable
CREATE TABLE "checkpoint_blob" (
    "thread_id" TEXT NOT NULL,
    "ns" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "data" BYTEA,

    CONSTRAINT "checkpoint_blob_pkey" PRIMARY KEY ("thread_id","ns","channel","version")
);

-- CreateTable
CREATE TABLE "checkpoint_write" (
    "thread_id" TEXT NOT NULL,
    "ns" TEXT NOT NULL,
    "checkpoint_id" TEXT NOT NULL,
    "task_id" TEXT NOT NULL,
    "idx" INTEGER NOT NULL,
    "channel" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "data" BYTEA NOT NULL,

    CONSTRAINT "checkpoint_write_pkey" PRIMARY KEY ("thread_id","ns","checkpoint_id","task_id","idx")
);

-- CreateIndex
CREATE INDEX "task_status_created_at_idx" ON "task"("status", "created_at");

-- CreateIndex
CREATE INDEX "task_created_at_idx" ON "task"("created_at");

-- CreateIndex
CREATE INDEX "task_target_signature_status_idx" ON "task"("target_signature", "status");

-- CreateIndex
CREATE INDEX "journal_event_message_cursor_idx" ON "journal_event"("message", "cursor");

-- CreateIndex
CREATE UNIQUE INDEX "journal_event_thread_id_seq_key" ON "journal_event"("thread_id", "seq");

-- CreateIndex
CREATE INDEX "sop_status_created_at_idx" ON "sop"("status", "created_at");

-- CreateIndex
CREATE UNIQUE INDEX "sop_intent_target_signature_version_key" ON "sop"("intent", "target_signature", "version");

-- CreateIndex
CREATE INDEX "approval_status_expires_at_idx" ON "approval"("status", "expires_at");

-- CreateIndex
CREATE INDEX "approval_thread_id_idx" ON "approval"("thread_id");

-- At most one active SOP per key. Prisma cannot express a partial index.
CREATE UNIQUE INDEX sop_one_active ON sop (intent, target_signature) WHERE status = 'active';
