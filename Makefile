# 知行: everything a person or CI runs. `make` alone lists the targets.
.DEFAULT_GOAL := help
.PHONY: help setup start web test check services services-stop bench docs constraints
SHELL := /bin/bash

BIN := .venv/bin
ARGS ?=

help: ## 列出这些目标
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-17s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

setup: ## 准备环境，命令放进 .venv/bin
	@scripts/setup
	@scripts/web try

web: ## 构建页面脚本（要有 Node；没有它页面也能用）
	@scripts/web build

start: setup ## 启动服务：127.0.0.1:8420，数据存在 SQLite
	@exec $(BIN)/zhixing serve

test: setup services ## 跑全部测试（ARGS='-k 名字' 可挑选）
	@$(BIN)/pytest --numprocesses=auto --maxprocesses=4 --dist=worksteal $(ARGS)

check: setup ## 查代码：ruff、mypy、import-linter
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy --strict src
	@$(BIN)/lint-imports

services: setup ## 启动测试用的 PostgreSQL（只听本机）
	@scripts/services start

services-stop: ## 停掉它
	@scripts/services stop

bench: $(patsubst bench/%.py,bench-%,$(wildcard bench/understand.py bench/assemble.py bench/timers.py bench/rules.py bench/thirty_days.py bench/runs.py bench/layout.py bench/graphs.py bench/goals.py)) ## 测速，与别的库同场比

bench-%: bench/%.py setup
	@bench/setup $*
	@.services/bench-venv/bin/python $< $(ARGS)

docs: setup ## 由代码重写 docs/settings.md、docs/cli.md、docs/miloco-cli.md、docs/city.md 和 docs/mcp.md
	@$(BIN)/python -m zhixing.settings.reference > docs/settings.md.new && mv docs/settings.md.new docs/settings.md
	@$(BIN)/python -m zhixing.faces.cli.reference > docs/cli.md.new && mv docs/cli.md.new docs/cli.md
	@$(BIN)/python -m zhixing.faces.miloco.reference > docs/miloco-cli.md.new && mv docs/miloco-cli.md.new docs/miloco-cli.md
	@$(BIN)/python -m zhixing.faces.city.reference > docs/city.md.new && mv docs/city.md.new docs/city.md
	@$(BIN)/python -m zhixing.faces.mcp.reference > docs/mcp.md.new && mv docs/mcp.md.new docs/mcp.md

constraints: setup ## 重新锁定依赖版本到 constraints.txt
	@scripts/constraints
